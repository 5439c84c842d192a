import { chart, legend, logAxis } from './chart.js';
import { caseLink, card, colour, h } from './dom.js';
import * as format from './format.js';

function pointOf(one) {
  const { flops, bytes } = one.identity;
  const tflops = one.figures?.tflops;
  return flops && bytes && tflops ? { one, intensity: flops / bytes, tflops } : null;
}

// Log axes: a roof is the memory's rate times the intensity, up to what the SMs do in the data type.
function roofs(device, points) {
  const roof = device?.roof;
  if (!roof) return [];
  const dtypes = [...new Set(points.map((point) => point.one.identity.dtype))];
  const peaks = new Map();
  for (const dtype of dtypes) {
    const peak = roof[dtype] ?? roof.byte;
    peaks.set(peak, [...(peaks.get(peak) ?? []), dtype]);
  }
  return [...peaks].map(([peak, names]) => ({ peak, memory: roof.memory_tbs, name: names.join(', ') })).sort((a, b) => a.peak - b.peak);
}

function roofLines(lines) {
  return {
    hooks: {
      drawAxes: (u) => {
        const { ctx } = u;
        const scale = devicePixelRatio;
        ctx.save();
        ctx.beginPath();
        ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
        ctx.clip();
        ctx.lineWidth = 1.4 * scale;
        ctx.font = `${11 * scale}px system-ui, sans-serif`;
        ctx.strokeStyle = colour('green');
        const pos = (x, y) => [u.valToPos(x, 'x', true), u.valToPos(y, 'y', true)];
        // A name interrupts its own line, left of the name of the lower roof: they lie too close for a name in between.
        let right = pos(u.scales.x.max, 1)[0] - 8 * scale;
        for (const { peak, memory } of lines) {
          const { min, max } = u.scales.x;
          ctx.beginPath();
          ctx.moveTo(...pos(min, min * memory));
          ctx.lineTo(...pos(peak / memory, peak));
          ctx.lineTo(...pos(max, peak));
          ctx.stroke();
        }
        ctx.textAlign = 'right';
        ctx.textBaseline = 'middle';
        for (const { peak, name } of lines) {
          const { width } = ctx.measureText(name);
          const [, y] = pos(peak, peak);
          ctx.fillStyle = colour('card');
          ctx.fillRect(right - width - 3 * scale, y - 7 * scale, width + 6 * scale, 14 * scale);
          ctx.fillStyle = colour('muted');
          ctx.fillText(name, right, y);
          right -= width + 10 * scale;
        }
        ctx.restore();
      },
    },
  };
}

// All cases as dots, or one of them among the others.
export function rooflineCard(report, chosen = null) {
  const points = report.cases.map(pointOf).filter(Boolean).sort((a, b) => a.intensity - b.intensity);
  const title = 'Roofline';
  if (points.length === 0 || (chosen && !pointOf(chosen))) {
    return card(title, h('p', { class: 'quiet' }, chosen ? 'The spec gives no flops for this case, or it has no number in this run.' : 'No case of this run has both flops and bytes.'));
  }
  const device = report.devices[(chosen ?? points[0].one).device];
  const lines = roofs(device, chosen ? points.filter((point) => point.one === chosen) : points);
  const highest = Math.max(...points.map((point) => point.tflops), ...lines.map((line) => line.peak));
  const lowest = Math.min(...points.map((point) => point.tflops));
  const wide = [points[0].intensity / 2, Math.max(points.at(-1).intensity, ...lines.map((line) => line.peak / line.memory)) * 4];
  const when = (test) => points.map((point) => (test(point) ? point.tflops : null));
  const dot = (name, kind, size) => ({ label: name, stroke: () => colour(kind), width: 0, paths: () => null, points: { show: true, size, fill: () => colour(kind) } });
  const isOne = (point) => point.one === chosen;
  const isRed = (point) => point.one.attention && !isOne(point);
  const frame = chart({
    label: `Roofline of ${format.plural(points.length, 'case')}`,
    height: 340,
    data: [points.map((point) => point.intensity), when((point) => !isRed(point) && !isOne(point)), when(isRed), when(isOne)],
    onpick: (i) => { if (i !== null && i !== undefined) location.hash = caseLink(points[i].one.name); },
    describe: (i) => [points[i].one.name, `${format.fourDigits(points[i].tflops)} TFLOP/s at ${format.fourDigits(points[i].intensity)} flops a byte`,
      device?.roof ? `${percentOfRoof(points[i], device).toFixed(0)} % of the roof` : '', ...points[i].one.remarks].filter(Boolean),
    options: {
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false, distr: 3, range: () => wide }, y: { distr: 3, range: () => [10 ** Math.floor(Math.log10(lowest / 1.2)), 10 ** Math.ceil(Math.log10(highest * 1.2))] } },
      axes: [logAxis({ size: 40, label: 'flops a byte', labelSize: 18, labelFont: '12px system-ui', labelGap: 0 }), logAxis({ size: 64, label: 'TFLOP/s', labelSize: 18, labelFont: '12px system-ui' })],
      series: [{}, dot('cases', chosen ? 'muted' : 'accent', 6), dot('wants attention', 'red', chosen ? 5 : 7), dot('this case', 'accent', 12)],
      plugins: [roofLines(lines)],
    },
  });
  const note = device?.roof ? `${device.name}: ${format.fourDigits(device.roof.memory_tbs)} TB/s, ${lines.map((line) => `${format.fourDigits(line.peak)} TFLOP/s (${line.name})`).join(', ')} at ${device.max_sm_mhz} MHz.` : 'The rates of this device are not in the table, so there is no roof.';
  const result = card(title, h('div', { class: 'controls' }, legend([[chosen ? 'muted dot' : 'accent dot', chosen ? 'other cases' : 'cases'], ['red dot', 'wants attention'], ...(chosen ? [['accent dot', 'this case']] : []), ['green', 'roof']]), h('span', { class: 'quiet' }, note)), frame);
  result.redraw = () => frame.redraw();
  result.destroy = () => frame.destroy();
  return result;
}

function percentOfRoof({ one, intensity, tflops }, device) {
  const peak = device.roof[one.identity.dtype] ?? device.roof.byte;
  return (100 * tflops) / Math.min(peak, intensity * device.roof.memory_tbs);
}
