import { card, facts, h } from './dom.js';
import * as format from './format.js';
import { rooflineCard } from './roofline.js';
import { caseTable } from './table.js';

const kTileKinds = { regressed: 'red', improved: 'green', inconclusive: 'amber', 'no baseline': 'amber', 'not run': 'red', pass: 'green', failed: 'red', untrusted: 'red', 'wrong result': 'red', 'never finished': 'red' };

function tiles(report) {
  const list = report.counts.map(({ phrase, count }) => h('li', { class: count === 0 ? 'tile zero' : `tile ${kTileKinds[phrase] ?? 'amber'}` }, h('strong', null, count), h('span', null, phrase)));
  return h('ul', { class: 'tiles', 'aria-label': 'Counts' }, list, h('li', { class: 'tile total' }, h('strong', null, report.expected), h('span', null, report.selection_known ? 'expected' : 'recorded')));
}

export function environmentCard(report) {
  const { run } = report;
  return card('Environment', facts([
    ['Run', `${run.id}${run.label ? `, ${run.label}` : ''}`], ['Started', format.time(run.started)], ['Host', run.host],
    ['Commit', run.commit && h('code', null, run.commit, run.dirty ? ' (dirty)' : '')], ['Origin', run.origin], ['Options', run.options], ['Run id', h('code', null, run.uuid)],
  ]), report.devices.map((device) => h('div', { class: 'device' }, h('h3', null, device.name || 'unknown GPU'), facts(deviceFacts(device)))));
}

export function deviceFacts(device) {
  return [['Unit', h('code', null, device.uuid)], ['Driver', device.driver], ['CUDA', device.cuda], ['CUPTI', device.cupti], ['SMs', device.sm_count || null],
    ['L2', device.l2_bytes ? format.bytes(device.l2_bytes) : null], ['Memory', device.memory_bytes ? format.bytes(device.memory_bytes) : null],
    ['Highest SM clock', device.max_sm_mhz ? `${device.max_sm_mhz} MHz` : null], ['Timer tick', device.tick_ns ? `${device.tick_ns} ns` : null]];
}

export function overview(report) {
  const table = caseTable(report);
  const roofline = rooflineCard(report);
  const state = report.exit_code === 0 ? 'good' : report.exit_code === 6 || report.exit_code === 4 ? 'doubtful' : 'bad';
  const page = h('main', { id: 'main-content', tabindex: -1 },
    h('div', { class: `headline ${state}` }, h('h1', null, report.headline), h('p', null, `Exit code ${report.exit_code}: ${report.exit_meaning}.`)),
    report.warnings.map((text) => h('p', { class: 'warning', role: 'note' }, text)), tiles(report), table,
    h('div', { class: 'columns' }, roofline, environmentCard(report)));
  page.search = table.search;
  page.redraw = () => roofline.redraw?.();
  page.destroy = () => {
    table.destroy();
    roofline.destroy?.();
  };
  return page;
}
