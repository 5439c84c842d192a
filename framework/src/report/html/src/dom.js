// Elements from text only: nothing of a report is ever read as HTML.
const kSvg = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(kSvg, tag), attributes, children);

export const caseLink = (name) => `#/case/${encodeURIComponent(name)}`;

export function badge(one) {
  const kind = one.waived ? 'waived' : one.outcome;
  return h('span', { class: `badge ${kind}` }, one.phrase);
}

export function remarks(one) {
  return one.remarks.map((text) => h('span', { class: 'remark' }, text));
}

export function card(title, ...children) {
  return h('section', { class: 'card' }, h('h2', null, title), ...children);
}

// A table of names and values; what has none is left out.
export function facts(rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return h('dl', { class: 'facts' }, known.map(([name, value]) => [h('dt', null, name), h('dd', null, value)]));
}

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
