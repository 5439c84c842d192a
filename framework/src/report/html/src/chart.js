// What uPlot leaves to its user: theme, tooltip, keyboard, spoken values.
import uPlot from 'uplot';
import { colour, h } from './dom.js';

export const axis = (extra) => ({
  stroke: () => colour('muted'),
  grid: { stroke: () => colour('line'), width: 1 },
  ticks: { stroke: () => colour('line'), width: 1 },
  font: '12px system-ui, sans-serif',
  ...extra,
});

// Lines at powers of ten alone: the eight between two of them hide the dots.
export const logAxis = (extra) => {
  const decades = (u, splits) => splits.map((value) => (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? value : null));
  const one = axis(extra);
  return { ...one, grid: { ...one.grid, filter: decades }, ticks: { ...one.ticks, filter: decades } };
};

function tooltip(describe) {
  const box = h('div', { class: 'tooltip', hidden: true });
  return {
    hooks: {
      init: (u) => u.over.append(box),
      setCursor: (u) => {
        const { idx, left, top } = u.cursor;
        const lines = idx === null || idx === undefined || left < 0 ? null : describe(idx);
        box.hidden = !lines;
        if (!lines) return;
        box.replaceChildren(...lines.map((line, i) => h(i === 0 ? 'strong' : 'span', null, line)));
        const right = left > u.over.clientWidth / 2;
        box.style.left = right ? '' : `${left + 14}px`;
        box.style.right = right ? `${u.over.clientWidth - left + 14}px` : '';
        box.style.top = `${Math.max(0, Math.min(top, u.over.clientHeight - box.offsetHeight))}px`;
      },
    },
  };
}

// `describe(index)`: lines of the tooltip, also spoken; the cursor follows the arrow keys.
export function chart({ label, options, data, describe, height, onpick }) {
  const spoken = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const place = h('div', { class: 'plot' });
  const frame = h('div', { class: 'chart', tabindex: 0, role: 'group', 'aria-label': `${label}. Use the left and right arrow keys to read values.` }, place, spoken);
  let plot = null;
  const move = (u, to) => {
    const index = Math.max(0, Math.min(u.data[0].length - 1, to));
    const value = u.data.slice(1).map((column) => column[index]).find((one) => one !== null && one !== undefined);
    u.setCursor({ left: u.valToPos(u.data[0][index], 'x'), top: value === undefined ? 0 : u.valToPos(value, u.series[1].scale) });
    spoken.textContent = describe(index)?.join(', ') ?? '';
  };
  frame.addEventListener('keydown', (event) => {
    if (!plot) return;
    const at = plot.cursor.idx ?? plot.data[0].length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: plot.data[0].length - 1 }[event.key];
    if (event.key === 'Enter' && onpick) onpick(at);
    if (to === undefined) return;
    event.preventDefault();
    move(plot, to);
  });
  const draw = () => {
    plot?.destroy();
    const width = place.clientWidth;
    if (width === 0) return;
    plot = new uPlot({ width, height, legend: { show: false }, ...options, plugins: [tooltip(describe), ...(options.plugins ?? [])] }, data, place);
    frame.plot = plot;
    frame.point = (index) => move(plot, index);
    if (onpick) plot.over.addEventListener('click', () => onpick(plot.cursor.idx));
  };
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    if (plot) plot.setSize({ width, height });
    else draw();
  });
  observer.observe(place);
  frame.redraw = () => plot?.redraw(false);
  frame.destroy = () => {
    observer.disconnect();
    plot?.destroy();
    plot = null;
  };
  return frame;
}

export function legend(entries) {
  return h('ul', { class: 'legend', 'aria-label': 'Legend' }, entries.map(([kind, text]) => h('li', null, h('i', { class: `key ${kind}`, 'aria-hidden': true }), text)));
}

// Vertical marks with a word at the top.
export function marks(list) {
  return {
    hooks: {
      draw: (u) => {
        const { ctx } = u;
        const { left, top, width, height } = u.bbox;
        const scale = devicePixelRatio;
        ctx.save();
        ctx.beginPath();
        ctx.rect(left, top, width, height);
        ctx.clip();
        ctx.setLineDash([4 * scale, 3 * scale]);
        ctx.lineWidth = scale;
        ctx.font = `${11 * scale}px system-ui, sans-serif`;
        for (const { x, text, kind } of list) {
          const at = u.valToPos(x, 'x', true);
          ctx.strokeStyle = ctx.fillStyle = colour(kind);
          ctx.beginPath();
          ctx.moveTo(at, top);
          ctx.lineTo(at, top + height);
          ctx.stroke();
          const room = ctx.measureText(text).width + 8 * scale;
          ctx.textAlign = at + room > left + width ? 'right' : 'left';
          ctx.fillText(text, at + (ctx.textAlign === 'left' ? 4 : -4) * scale, top + 12 * scale);
        }
        ctx.restore();
      },
    },
  };
}
