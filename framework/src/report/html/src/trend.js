import uPlot from 'uplot';
import { axis, chart, legend, marks } from './chart.js';
import { corrected, pointsOf } from './data.js';
import { badge, card, colour, h } from './dom.js';
import * as format from './format.js';

const kRed = new Set(['regressed', 'wrong', 'untrusted', 'failed', 'running']);

const seriesName = (series, number) => [
  `Series ${number + 1}`, series.device || 'unknown GPU', series.unit && `unit ${series.unit.slice(0, 12)}`,
  series.driver && `driver ${series.driver}`, series.cuda && `CUDA ${series.cuda}`,
  series.method.filter((word) => word && word !== 'unknown').join(' '), series.group && `kernels ${series.group}`,
  series.replayed && 'replayed, NOT MEASURED',
].filter(Boolean).join(', ');

// One column for each run; a run that has no number in the chosen series still has its place.
function columnsOf(points, chosen, clocked, all) {
  const runs = [...new Map(points.map((point) => [point.run.id, point.run])).values()];
  const own = new Map(points.filter((point) => point.series === chosen).map((point) => [point.run.id, point]));
  const rest = new Map(points.filter((point) => point.series !== chosen).map((point) => [point.run.id, point]));
  const shown = (point, ns) => {
    if (!point || ns === null) return null;
    return clocked ? corrected(ns, point.mhz, all[point.series]) : ns;
  };
  const column = (of) => runs.map((run) => of(own.get(run.id), rest.get(run.id)));
  const metric = clocked ? 'cycles' : 'time';
  return {
    runs, own, rest,
    data: [
      runs.map((_, i) => i),
      column((point) => shown(point, point?.median ?? null)),
      column((point) => shown(point, point?.p10 ?? null)),
      column((point) => shown(point, point?.p90 ?? null)),
      column((point) => (point && point.metric === metric ? point.baseline : null)),
      column((point) => (point && point.metric === metric ? point.limit : null)),
      column((point, other) => (other && other.median !== null ? shown(other, other.median) : null)),
    ],
    mhz: column((point) => point?.mhz ?? null),
  };
}

function described(columns, index, clocked) {
  const run = columns.runs[index];
  const lines = [`run ${run.id}, ${format.time(run.started)}`, `commit ${format.commit(run)}`];
  const own = columns.own.get(run.id);
  const point = own ?? columns.rest.get(run.id);
  const value = columns.data[1][index] ?? columns.data[6][index];
  lines.push(`${point.outcome}${point.source === 'measured' ? '' : `, ${point.source}`}`);
  if (value === null) return [...lines, 'no number'];
  lines.push(`${own ? '' : 'another series: '}median ${format.duration(value)}${clocked ? ' at the highest clock' : ''}`);
  if (columns.data[2][index] !== null) lines.push(`p10 to p90 ${format.duration(columns.data[2][index])} to ${format.duration(columns.data[3][index])}`);
  if (columns.data[4][index] !== null) lines.push(`baseline ${format.duration(columns.data[4][index])}, limit ${format.duration(columns.data[5][index])}`);
  if (point.mhz !== null) lines.push(`SM clock ${Math.round(point.mhz)} MHz`);
  return lines;
}

// Results without a number stand as ticks at the bottom.
function outcomes(columns) {
  return {
    hooks: {
      draw: (u) => {
        const scale = devicePixelRatio;
        columns.runs.forEach((run, i) => {
          const point = columns.own.get(run.id) ?? columns.rest.get(run.id);
          if (point.median !== null && point.outcome !== 'regressed') return;
          u.ctx.fillStyle = colour(kRed.has(point.outcome) ? 'red' : 'muted');
          const x = u.valToPos(i, 'x', true);
          if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
          const value = columns.data[1][i] ?? columns.data[6][i];
          if (value === null) u.ctx.fillRect(x - scale, u.bbox.top + u.bbox.height - 8 * scale, 2 * scale, 8 * scale);
          else {
            u.ctx.beginPath();
            u.ctx.arc(x, u.valToPos(value, 'y', true), (columns.runs.length <= 90 ? 2.8 : 1.7) * scale, 0, 7);
            u.ctx.fill();
          }
        });
      },
    },
  };
}

const runAxis = (columns) => axis({
  size: 34,
  splits: (_, __, low, high) => {
    const step = Math.max(1, Math.ceil((high - low) / 9));
    return columns.runs.map((___, i) => i).filter((i) => i >= low && i <= high && i % step === 0);
  },
  values: (_, splits) => {
    const days = splits.map((i) => format.day(columns.runs[i]?.started ?? 0));
    // Several runs of one day are told apart by their numbers.
    return new Set(days).size === days.length ? days : splits.map((i) => `run ${columns.runs[i]?.id ?? ''}`);
  },
});

function trendChart(columns, one, chosen, clocked, sync) {
  const series = one.trend.series[chosen];
  const position = new Map(columns.runs.map((run, i) => [run.id, i]));
  const changes = series && (series.metric === 'cycles') === clocked ? series.changes : [];
  const data = columns.data;
  const points = data[0].length <= 90;
  return chart({
    label: `Median, p10 to p90, baseline and limit of ${one.name} over ${format.plural(data[0].length, 'run')}`,
    height: 320,
    data,
    describe: (index) => described(columns, index, clocked),
    options: {
      cursor: { sync: { key: sync.key }, drag: { x: true, y: false }, points: { size: 7 } },
      scales: { x: { time: false, range: (_, low, high) => [low - 0.5, high + 0.5] }, y: { range: (_, low, high) => padded(low, high) } },
      axes: [runAxis(columns), axis({ size: 78, values: (_, splits) => splits.map(format.duration) })],
      series: [
        {},
        { label: 'median', stroke: () => colour('accent'), width: 1.8, spanGaps: true, points: { show: points, size: 4, fill: () => colour('accent') } },
        { label: 'p10', stroke: 'transparent', width: 0, spanGaps: true, points: { show: false } },
        { label: 'p90', stroke: 'transparent', width: 0, spanGaps: true, points: { show: false } },
        { label: 'baseline', stroke: () => colour('green'), width: 1.2, dash: [6, 4], spanGaps: true, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } },
        { label: 'limit', stroke: () => colour('red'), width: 1.2, dash: [2, 3], spanGaps: true, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } },
        { label: 'other series', stroke: () => colour('muted'), width: 0, paths: () => null, points: { show: true, size: 4, fill: () => colour('muted') } },
      ],
      bands: [{ series: [3, 2], fill: () => colour('band') }],
      plugins: [outcomes(columns), marks(changes.map((point) => ({ x: position.get(one.reportRuns[point.run].id) - 0.5, text: format.change(point.change), kind: point.change > 0 ? 'red' : 'green' })))],
    },
  });
}

// A flat series must not look dramatic: at least 4 % of its height.
function padded(low, high) {
  if (low === null || high === null) return [0, 1];
  const middle = (low + high) / 2;
  const half = Math.max((high - low) * 0.58, middle * 0.02);
  return [Math.max(0, middle - half), middle + half];
}

function clockChart(columns, one, sync) {
  return chart({
    label: `SM clock of ${one.name} over its runs`,
    height: 110,
    data: [columns.data[0], columns.mhz],
    describe: (index) => [`run ${columns.runs[index].id}`, columns.mhz[index] === null ? 'clock unknown' : `SM clock ${Math.round(columns.mhz[index])} MHz`],
    options: {
      cursor: { sync: { key: sync.key }, drag: { x: true, y: false } },
      scales: { x: { time: false, range: (_, low, high) => [low - 0.5, high + 0.5] }, y: { range: (_, low, high) => (low === null ? [0, 1] : [low - 30, high + 30]) } },
      axes: [runAxis(columns), axis({ size: 78, splits: (_, __, low, high) => [low + 15, (low + high) / 2, high - 15], values: (_, splits) => splits.map((mhz) => `${Math.round(mhz)} MHz`) })],
      series: [{}, { label: 'SM clock', stroke: () => colour('violet'), width: 1.4, spanGaps: true, points: { show: columns.runs.length <= 90, size: 3, fill: () => colour('violet') } }],
    },
  });
}

function pointTable(points, one) {
  const body = h('tbody');
  const details = h('details', { class: 'points' }, h('summary', null, `All ${format.plural(points.length, 'result')} as a table`),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'All results' }, h('table', null,
      h('thead', null, h('tr', null, ['Run', 'When', 'Commit', 'Verdict', 'Median', 'p10', 'p90', 'Baseline', 'Limit', 'SM clock', 'Source', 'Series'].map((text) => h('th', { scope: 'col' }, text)))), body)));
  details.addEventListener('toggle', () => {
    if (!details.open || body.childElementCount > 0) return;
    body.append(...[...points].reverse().map((point) => h('tr', null, [
      point.run.id, format.time(point.run.started), h('code', null, format.commit(point.run)), badge({ outcome: point.outcome, phrase: point.outcome }),
      format.duration(point.median), format.duration(point.p10), format.duration(point.p90), format.duration(point.baseline), format.duration(point.limit),
      point.mhz === null ? format.kNone : `${Math.round(point.mhz)} MHz`, point.source, point.series === null ? format.kNone : point.series + 1,
    ].map((cell) => h('td', null, cell)))));
  });
  return details;
}

function changeList(report, one, chosen) {
  const changes = one.trend.series[chosen]?.changes ?? [];
  if (changes.length === 0) return h('p', { class: 'quiet' }, 'No lasting change of level beyond 1 %.');
  return h('ul', { class: 'changes' }, changes.map((point) => {
    const after = report.runs[point.run];
    const before = report.runs[point.last_before];
    return h('li', null, h('strong', { class: point.change > 0 ? 'worse' : 'better' }, format.change(point.change)), ` from run ${after.id} on: ${format.duration(point.before)} before, ${format.duration(point.after)} after. Last before: `,
      h('code', null, format.commit(before)), ', first after: ', h('code', null, format.commit(after)));
  }));
}

export function trendCard(report, one) {
  const points = pointsOf(report, one);
  if (points.length === 0) return card('Trend', h('p', { class: 'quiet' }, 'Nothing is recorded for this case.'));
  one.reportRuns = report.runs;
  const all = one.trend.series;
  const place = h('div');
  let charts = [];
  let chosen = 0;
  let clocked = (one.judgement?.metric ?? all[0]?.metric) === 'cycles';
  const canCorrect = points.some((point) => point.mhz !== null && all[point.series]?.max_sm_mhz);
  clocked &&= canCorrect;
  const draw = () => {
    charts.forEach((old) => old.destroy());
    const columns = columnsOf(points, chosen, clocked, all);
    const sync = uPlot.sync(`trend-${one.index}`);
    charts = all.length > 0 ? [trendChart(columns, one, chosen, clocked, sync)] : [];
    if (columns.mhz.some((mhz) => mhz !== null)) charts.push(clockChart(columns, one, sync));
    place.replaceChildren(...charts, changeList(report, one, chosen));
  };
  const metric = canCorrect && h('label', null, 'Show ', h('select', { onchange: (event) => { clocked = event.target.value === 'cycles'; draw(); } },
    h('option', { value: 'time', selected: !clocked }, 'time'), h('option', { value: 'cycles', selected: clocked }, 'clock-corrected time')));
  const series = all.length > 1 && h('label', null, 'Series ', h('select', { onchange: (event) => { chosen = Number(event.target.value); draw(); } },
    all.map((one, number) => h('option', { value: number }, seriesName(one, number)))));
  const result = card('Trend over runs', h('div', { class: 'controls' }, metric, series,
    legend([['accent', 'median'], ['band', 'p10 to p90'], ['green dashed', 'baseline'], ['red dotted', 'limit'], ['red dot', 'regressed'], ['muted dot', 'another series'], ['violet', 'SM clock']]),
    h('span', { class: 'quiet' }, 'Drag to zoom, double-click to reset')), place, pointTable(points, one));
  draw();
  result.redraw = () => charts.forEach((one) => one.redraw());
  result.destroy = () => charts.forEach((one) => one.destroy());
  return result;
}
