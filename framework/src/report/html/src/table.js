import { badge, caseLink, h, remarks } from './dom.js';
import * as format from './format.js';
import { sparkline } from './sparkline.js';

const kNothing = Number.NEGATIVE_INFINITY;
const measured = (one) => one.judgement?.measured ?? one.figures?.busy ?? null;

// `key` sorts; without one a column does not.
const kColumns = [
  { name: 'Verdict', key: (one) => one.index, cell: badge, first: 1 },
  { name: 'Case', key: (one) => one.name, cell: (one) => [h('a', { href: caseLink(one.name) }, one.name), remarks(one)], first: 1, kind: 'name' },
  { name: 'Measured', key: (one) => measured(one) ?? kNothing, cell: (one) => format.duration(measured(one)), first: -1, kind: 'number' },
  { name: 'Baseline', key: (one) => one.judgement?.baseline ?? kNothing, cell: (one) => format.duration(one.judgement?.baseline), first: -1, kind: 'number' },
  { name: 'Change', key: (one) => one.judgement?.change ?? kNothing, cell: changeCell, first: -1, kind: 'number' },
  { name: 'Limit', key: (one) => one.judgement?.threshold ?? kNothing, cell: (one) => format.percent(one.judgement?.threshold), first: -1, kind: 'number' },
  { name: 'Trend', kind: 'trend' },
  { name: 'TFLOP/s', key: (one) => one.figures?.tflops ?? kNothing, cell: (one) => format.number(one.figures?.tflops), first: -1, kind: 'number extra' },
  { name: 'TB/s', key: (one) => one.figures?.tbs ?? kNothing, cell: (one) => format.number(one.figures?.tbs), first: -1, kind: 'number extra' },
  { name: 'Of ceiling', key: (one) => one.ceiling?.percent ?? kNothing, cell: (one) => format.ceiling(one.ceiling), first: -1, kind: 'number extra' },
];

function changeCell(one) {
  const { change, threshold } = one.judgement ?? {};
  const beyond = threshold !== null && threshold !== undefined && Math.abs(change) > threshold;
  return h('span', { class: beyond ? (change > 0 ? 'worse' : 'better') : null }, format.change(change));
}

const kChips = [
  ['all', 'All', () => true],
  ['attention', 'Wants attention', (one) => one.attention],
  ['regressed', 'Regressed', (one) => one.outcome === 'regressed'],
  ['improved', 'Improved', (one) => one.outcome === 'improved'],
  ['inconclusive', 'Inconclusive', (one) => one.outcome === 'inconclusive'],
  ['no-baseline', 'No baseline', (one) => one.outcome === 'no-baseline'],
  ['none', 'Without a number', (one) => one.figures === null],
];

// The state outlives the table: coming back from a case finds it as it was left.
const state = { search: '', chip: 'all', column: 0, order: 1 };

export function caseTable(report) {
  const searched = report.cases.map((one) => [one.name, one.phrase, one.reason, ...one.remarks, ...one.labels].join('\n').toLowerCase());
  const body = h('tbody');
  const count = h('p', { class: 'quiet', role: 'status' });
  const rows = new Map();
  // A sparkline is drawn when its row comes near the screen.
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      entry.target.append(sparkline(report, entry.target.one));
    }
  }, { rootMargin: '300px' });
  const rowOf = (one) => {
    if (rows.has(one)) return rows.get(one);
    const row = h('tr', { class: one.attention ? 'attention' : null, title: one.reason }, kColumns.map(({ cell, kind }) => {
      const td = h(kind === 'name' ? 'th' : 'td', { class: kind, scope: kind === 'name' ? 'row' : null }, cell?.(one));
      if (kind === 'trend') {
        td.one = one;
        watcher.observe(td);
      }
      return td;
    }));
    rows.set(one, row);
    return row;
  };
  const heads = kColumns.map(({ name, key, kind }, i) => h('th', { scope: 'col', class: kind }, key ? h('button', { type: 'button', onclick: () => sortBy(i) }, name) : name));
  const chips = kChips.map(([id, text, test]) => [id, h('button', { type: 'button', class: 'chip', onclick: () => { state.chip = id; show(); } }, text, ' ', h('span', null, report.cases.filter(test).length))]);
  const search = h('input', { type: 'search', placeholder: 'Search ( / )', 'aria-label': 'Search cases', spellcheck: 'false', oninput: () => { state.search = search.value; show(); } });
  search.value = state.search;

  function sortBy(column) {
    state.order = state.column === column ? -state.order : kColumns[column].first;
    state.column = column;
    show();
  }
  function show() {
    const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
    const test = kChips.find(([id]) => id === state.chip)[2];
    const { key } = kColumns[state.column];
    const kept = report.cases.filter((one) => test(one) && words.every((word) => searched[one.index].includes(word)));
    const keys = new Map(kept.map((one) => [one, key(one)]));
    kept.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === y) return a.index - b.index;
      if (x === kNothing || y === kNothing) return x === kNothing ? 1 : -1;  // without a number: last either way
      return (x < y ? -1 : 1) * state.order;
    });
    body.replaceChildren(...kept.map(rowOf));
    count.textContent = `${kept.length} of ${format.plural(report.cases.length, 'case')}`;
    heads.forEach((head, i) => head.setAttribute('aria-sort', i !== state.column ? 'none' : state.order > 0 ? 'ascending' : 'descending'));
    chips.forEach(([id, button]) => button.setAttribute('aria-pressed', String(id === state.chip)));
  }
  show();
  const section = h('section', { class: 'card', 'aria-labelledby': 'cases-title' }, h('h2', { id: 'cases-title' }, 'Cases'),
    h('div', { class: 'controls' }, search, h('div', { class: 'chips', role: 'group', 'aria-label': 'Show' }, chips.map(([, button]) => button)), count),
    h('div', { class: 'scroll' }, h('table', { class: 'cases' }, h('caption', { class: 'visually-hidden' }, 'Cases of this run; the buttons in the head sort'), h('thead', null, h('tr', null, heads)), body)));
  section.search = search;
  section.destroy = () => watcher.disconnect();
  return section;
}
