import { casePage } from './casepage.js';
import { readReport } from './data.js';
import { h } from './dom.js';
import * as format from './format.js';
import { overview } from './overview.js';
import { themeButton } from './theme.js';

const app = document.getElementById('app');
let page = null;

function notFound(name) {
  return h('main', { id: 'main-content', tabindex: -1 }, h('h1', null, 'No such case'), h('p', null, `This report has no case ${name}.`), h('p', null, h('a', { href: '#/' }, 'All cases')));
}

// "#/case/NAME" is a case, everything else the overview.
function route(report) {
  const [, name] = /^#\/case\/([^?]*)/.exec(location.hash) ?? [];
  if (name === undefined) return overview(report);
  let plain = name;
  try {
    plain = decodeURIComponent(name);
  } catch { /* not encoded by us: taken as it is */ }
  const index = report.byName.get(plain);
  return index === undefined ? notFound(plain) : casePage(report, report.cases[index]);
}

function show(report, moved) {
  page?.destroy?.();
  const next = route(report);
  document.getElementById('page').replaceChildren(next);
  page = next;
  document.title = `${/^#\/case\//.test(location.hash) ? page.querySelector('h1').textContent : `run ${report.run.id}`} · opgate`;
  if (moved) {
    scrollTo(0, 0);
    page.focus({ preventScroll: true });
  }
}

function header(report) {
  const { run } = report;
  return h('header', { class: 'top' }, h('a', { class: 'brand', href: '#/' }, 'opgate'),
    h('p', null, `run ${run.id}, ${format.time(run.started)}`, run.commit && [', commit ', h('code', null, format.commit(run))], run.host && `, ${run.host}`),
    themeButton(() => page?.redraw?.()));
}

function shortcuts(event) {
  if (event.key !== '/' || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '') || !page?.search) return;
  event.preventDefault();
  page.search.focus();
}

readReport().then((report) => {
  app.replaceChildren(header(report), h('div', { id: 'page' }));
  show(report, false);
  addEventListener('hashchange', () => {
    if (location.hash !== '#main-content') show(report, true);
  });
  addEventListener('keydown', shortcuts);
  document.documentElement.dataset.ready = 'yes';
}).catch((problem) => {
  app.replaceChildren(h('p', { class: 'loading' }, `The report cannot be shown: ${problem.message}`));
  throw problem;
});
