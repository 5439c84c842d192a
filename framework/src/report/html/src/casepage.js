import { badge, card, caseLink, facts, h, remarks } from './dom.js';
import { distributionCard, librariesCard } from './distribution.js';
import * as format from './format.js';
import { deviceFacts } from './overview.js';
import { rooflineCard } from './roofline.js';
import { trendCard } from './trend.js';

// Bits of NVML's clocks event reasons.
const kThrottle = [[0x1, 'idle'], [0x2, 'application clocks'], [0x4, 'power cap'], [0x8, 'hardware slowdown'], [0x10, 'sync boost'], [0x20, 'software thermal'], [0x40, 'hardware thermal'], [0x80, 'power brake']];

const measuredNote = ({ source, judgement }) => ({ replayed: 'replayed, NOT MEASURED', imported: 'imported' }[source] ?? (judgement?.metric === 'cycles' ? 'clock-corrected' : 'median busy time'));

function figureTiles(one) {
  const { figures, judgement } = one;
  const beyond = judgement?.threshold !== null && judgement?.change > judgement?.threshold;
  const rows = [
    ['Measured', format.duration(judgement?.measured ?? figures.busy), measuredNote(one)],
    ['Baseline', format.duration(judgement?.baseline), judgement?.baseline ? 'accepted runs' : 'nothing to compare with'],
    ['Change', format.change(judgement?.change), `limit ${format.percent(judgement?.threshold)}`, beyond ? 'worse' : null],
    ['p10 to p90', format.range(figures.p10, figures.p90), format.plural(figures.samples, 'sample')],
    ['Rate', format.number(figures.tflops, 'TFLOP/s'), format.number(figures.tbs, 'TB/s')],
    ['Of ceiling', format.ceilingPercent(one.ceiling), one.ceiling?.text ?? 'no bytes or flops, or an unknown device'],
    ['SM clock', figures.mhz === null ? format.kNone : `${Math.round(figures.mhz)} MHz`, `detects ${format.percent(judgement?.detectable)}`],
  ];
  return h('ul', { class: 'tiles figures' }, rows.map(([name, value, note, kind]) => h('li', { class: 'tile' }, h('span', null, name), h('strong', { class: kind }, value), h('small', null, note))));
}

const clocks = (state) => [state?.sm_mhz !== null && `SM ${state.sm_mhz} MHz`, state?.memory_mhz !== null && `memory ${state.memory_mhz} MHz`, state?.temperature_c !== null && `${state.temperature_c} °C`, state?.power_mw !== null && `${Math.round(state.power_mw / 1000)} W`].filter(Boolean).join(', ');

const throttled = (state) => {
  if (!state || state.throttle_reasons === null) return null;
  return kThrottle.filter(([bit]) => Math.floor(state.throttle_reasons / bit) % 2 === 1).map(([, text]) => text).join(', ') || 'no';
};

function identityCard(report, one) {
  const { identity, method, kernels = [], before, after } = one;
  const map = (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`).join(', ');
  const device = report.devices[one.device];
  return card('Case, method and environment', h('div', { class: 'columns' },
    h('div', null, h('h3', null, 'Case'), facts([['Op', identity.op], ['Workload', identity.workload], ['Type', identity.dtype], ['Dimensions', map(identity.dimensions)], ['Params', map(identity.params)],
      ['Flops', identity.flops?.toLocaleString('en')], ['Bytes', identity.bytes?.toLocaleString('en')], ['Labels', one.labels.join(', ')], ['Attempts', one.attempts]]),
    method && h('h3', null, 'Method'), method && facts([['Protocol', method.protocol], ['Timing', method.timing], ['Flush', method.flush], ['Launch', method.launch], ['Why direct', method.launch_reason], ['Pacing', method.pacing], ['Processes', method.processes > 1 ? method.processes : null], ['Warm-up calls', method.warm_up || null], ['Retries', method.retries]])),
    h('div', null, device && [h('h3', null, device.name), facts(deviceFacts(device))],
      before && facts([['Before', clocks(before)], ['After', clocks(after)], ['Throttled', throttled(after)], ['Other processes', after.other_processes || null]]))),
  kernels.length > 0 && h('details', null, h('summary', null, `${format.plural(kernels.length, 'kernel')}`), h('ul', { class: 'kernels' },
    kernels.map((kernel) => h('li', null, h('code', null, kernel.name), h('span', { class: 'quiet' }, ` grid ${kernel.grid.join('x')}, block ${kernel.block.join('x')}, ${kernel.registers} registers, ${format.bytes(kernel.shared)} shared`))))));
}

function neighbours(report, one) {
  const link = (index, text) => report.cases[index] && h('a', { href: caseLink(report.cases[index].name), title: report.cases[index].name }, text);
  return h('nav', { class: 'neighbours', 'aria-label': 'Cases' }, h('a', { href: '#/' }, '← All cases'), h('span', null, link(one.index - 1, 'Previous'), link(one.index + 1, 'Next')));
}

export function casePage(report, one) {
  const cards = [trendCard(report, one), distributionCard(report, one), librariesCard(one), rooflineCard(report, one)].filter(Boolean);
  const { judgement } = one;
  const page = h('main', { id: 'main-content', tabindex: -1 }, neighbours(report, one),
    h('div', { class: 'case-head' }, h('h1', null, one.name), badge(one), remarks(one)),
    h('p', { class: 'reason' }, one.reason),
    one.message && h('pre', { class: 'message' }, one.message),
    judgement?.waiver && h('p', { class: 'warning' }, `Waived until ${judgement.waiver.expires} by ${judgement.waiver.owner}: ${judgement.waiver.reason}`),
    judgement?.notes.length > 0 && h('ul', { class: 'notes' }, judgement.notes.map((note) => h('li', null, note))),
    one.figures && figureTiles(one), cards, identityCard(report, one));
  page.redraw = () => cards.forEach((one) => one.redraw?.());
  page.destroy = () => cards.forEach((one) => one.destroy?.());
  return page;
}
