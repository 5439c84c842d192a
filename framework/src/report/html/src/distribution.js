import uPlot from 'uplot';
import { axis, chart, legend } from './chart.js';
import { samplesOf } from './data.js';
import { card, colour, h } from './dom.js';
import * as format from './format.js';

const kMostBins = 60;

const nameOf = (implementation) => implementation.name || 'this op';

// Bins of whole ticks, so that the timer's grid never shows as a comb.
function histogram(values, tick) {
  const sorted = [...values].sort((a, b) => a - b);
  const low = sorted[0];
  const high = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.995))];
  const width = Math.max(1, Math.ceil((high - low + 1) / kMostBins / tick)) * tick;
  const count = Math.floor((high - low) / width) + 1;
  const bins = new Array(count).fill(0);
  let beyond = 0;
  for (const value of values) {
    const bin = Math.floor((value - low) / width);
    if (bin < count) bins[bin]++;
    else beyond++;
  }
  return { starts: bins.map((_, i) => low + i * width), bins, width, beyond };
}

function histogramChart(implementation, samples, tick) {
  const { starts, bins, width, beyond } = histogram(samples.busy, tick);
  const frame = chart({
    label: `Distribution of ${format.plural(samples.busy.length, 'sample')} of ${nameOf(implementation)}`,
    height: 220,
    data: [starts.map((start) => start + width / 2), bins],
    describe: (i) => [`${format.duration(starts[i])} to ${format.duration(starts[i] + width)}`, format.plural(bins[i], 'sample')],
    options: {
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false, range: (_, low, high) => [low - width, high + width] }, y: { range: (_, __, high) => [0, Math.max(1, high * 1.08)] } },
      axes: [axis({ size: 34, space: 90, values: (_, splits) => splits.map(format.duration) }), axis({ size: 48 })],
      series: [{}, { label: 'samples', stroke: () => colour('accent'), fill: () => colour('band'), width: 1, paths: uPlot.paths.bars({ size: [0.96, 160] }), points: { show: false } }],
    },
  });
  return [frame, beyond > 0 && h('p', { class: 'quiet' }, `${format.plural(beyond, 'slower sample')} beyond the right edge, up to ${format.duration(Math.max(...samples.busy))}.`)];
}

function orderChart(implementation, samples) {
  return chart({
    label: `Samples of ${nameOf(implementation)} in the order they were taken`,
    height: 170,
    data: [samples.busy.map((_, i) => i + 1), samples.busy],
    describe: (i) => [`iteration ${i + 1}`, format.duration(samples.busy[i]), samples.mhz[i] === null ? '' : `SM clock ${samples.mhz[i]} MHz`, `kernel group ${samples.group[i] + 1}`].filter(Boolean),
    options: {
      cursor: { drag: { x: true, y: false } },
      scales: { x: { time: false } },
      axes: [axis({ size: 34 }), axis({ size: 78, values: (_, splits) => splits.map(format.duration) })],
      series: [{}, { label: 'busy', stroke: () => colour('accent'), width: 0, paths: () => null, points: { show: true, size: 4, fill: () => colour('accent') } }],
    },
  });
}

export function distributionCard(report, one) {
  const measured = one.implementations.filter((implementation) => implementation.samples.count > 0);
  if (measured.length === 0) {
    return card('Samples of this run', h('p', { class: 'quiet' }, one.figures ? 'The history keeps no samples of this result.' : 'This run has no number for this case, so it has no samples to show.'));
  }
  const tick = report.devices[one.device]?.tick_ns || 1;
  const place = h('div');
  let charts = [];
  const draw = (implementation) => {
    charts.forEach((old) => old.destroy());
    const samples = samplesOf(report, implementation);
    const [bars, beyond] = histogramChart(implementation, samples, tick);
    charts = [bars, orderChart(implementation, samples)];
    place.replaceChildren(bars, ...(beyond ? [beyond] : []), h('h3', null, 'In the order they were taken'), charts[1]);
  };
  const select = measured.length > 1 && h('label', null, 'Implementation ', h('select', { onchange: (event) => draw(measured[Number(event.target.value)]) },
    measured.map((implementation, i) => h('option', { value: i }, nameOf(implementation)))));
  const result = card(`Samples of run ${report.run.id}`, h('div', { class: 'controls' }, select, legend([['band', 'samples']])), place);
  draw(measured[0]);
  result.redraw = () => charts.forEach((one) => one.redraw());
  result.destroy = () => charts.forEach((one) => one.destroy());
  return result;
}

// Ours and the libraries: median as a bar, p10 to p90 as a whisker, and the figures beside it.
export function librariesCard(one) {
  const rows = one.implementations.filter((implementation) => implementation.figures.busy !== null);
  if (rows.length < 2) return null;
  const most = Math.max(...rows.map((row) => row.figures.p90 ?? row.figures.busy)) * 1.02;
  const ours = rows.find((row) => row.name === '');
  const share = (ns) => `${(100 * ns) / most}%`;
  const bar = ({ busy, p10, p90 }, mine) => {
    const median = h('div', { class: mine ? 'bar mine' : 'bar' });
    median.style.width = share(busy);
    const whisker = p10 !== null && p90 !== null && h('div', { class: 'whisker' });
    if (whisker) {
      whisker.style.left = share(p10);
      whisker.style.width = `${(100 * (p90 - p10)) / most}%`;
    }
    return h('div', { class: 'bars', 'aria-hidden': true }, median, whisker);
  };
  return card('Implementations side by side', h('div', { class: 'scroll' }, h('table', { class: 'side' },
    h('thead', null, h('tr', null, ['Implementation', 'Median', '', 'p10', 'p90', 'TFLOP/s', 'TB/s', 'Against this op'].map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', null, rows.map(({ name, figures }) => h('tr', null, h('th', { scope: 'row' }, name || 'this op'), h('td', null, format.duration(figures.busy)), h('td', { class: 'wide' }, bar(figures, name === '')),
      [figures.p10, figures.p90].map((ns) => h('td', null, format.duration(ns))), h('td', null, format.number(figures.tflops)), h('td', null, format.number(figures.tbs)),
      h('td', null, name === '' || !ours ? format.kNone : `${(figures.busy / ours.figures.busy).toFixed(3)} x the time`)))))));
}
