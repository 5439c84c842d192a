// What a terminal or a browser shows, as a PNG:
//   node framework/pictures/shoot.mjs text FILE OUT.png                             coloured text, as `script` keeps it
//   node framework/pictures/shoot.mjs page URL OUT.png WIDTH HEIGHT light|dark      a page as it opens
// Run it where playwright-core is installed; CHROMIUM names the browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const [kind, from, to, width = '1200', height = '900', colorScheme = 'light'] = process.argv.slice(2);

const colours = { '1;31': '#ff6b68', '1;32': '#5fd38d', '1;33': '#e6c35c' };

// Only the text is escaped and the escape sequences become spans: no character of it changes.
function terminal(text) {
  const escaped = text.replaceAll('\r', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').trimEnd();
  const spans = escaped.replace(/\x1b\[([\d;]*)m/g, (whole, code) => {
    if (code === '0') return '</span>';
    if (!(code in colours)) throw new Error(`shoot.mjs: no colour for ${JSON.stringify(whole)}`);
    return `<span style="color:${colours[code]};font-weight:bold">`;
  });
  return `<body style="margin:0"><pre style="display:inline-block;margin:0;padding:14px 18px;background:#16191e;color:#d6dae0;font:13px/1.38 'DejaVu Sans Mono',monospace">${spans}</pre>`;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, colorScheme, deviceScaleFactor: kind === 'text' ? 1.5 : 1 });
if (kind === 'text') {
  await page.setContent(terminal(readFileSync(from, 'utf8')));
  await page.locator('pre').screenshot({ path: to });
} else {
  await page.goto(from);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: to });
}
await browser.close();
