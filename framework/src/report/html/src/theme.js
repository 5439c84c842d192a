import { h } from './dom.js';

const kKey = 'opgate-theme';

// A page from a file may not be allowed to remember.
function remembered() {
  try {
    return localStorage.getItem(kKey);
  } catch {
    return null;
  }
}

export function themeButton(changed) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let chosen = remembered();
  const isDark = () => (chosen ? chosen === 'dark' : dark.matches);
  const button = h('button', { class: 'theme', type: 'button' });
  const show = () => {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
    button.textContent = isDark() ? '☀ Light' : '☾ Dark';
    button.setAttribute('aria-label', isDark() ? 'Use the light theme' : 'Use the dark theme');
  };
  button.addEventListener('click', () => {
    chosen = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(kKey, chosen);
    } catch { /* not remembered */ }
    show();
    changed();
  });
  dark.addEventListener('change', () => {
    show();
    changed();
  });
  show();
  return button;
}
