// Looks at report pages as a person does: node look.mjs CHROMIUM SMALL.html LARGE.html
// Both were written by report_history. Exits 1 with what was not as it should be.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [executablePath, small, large] = process.argv.slice(2);
const kCases = 500;
const kRuns = 365;
const kMostBytes = 15e6;
const kMostLoadMs = 2000;
const kHostile = 'evil<img src=x onerror="window.hacked=1">`|[a](b)</script><script>window.hacked=1</script>.f16';
const kHostileCommit = '</code><script>window.hacked=1</script>"\'&lt;';

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

// A page on which any console error, exception or request beyond the file itself is a failure.
async function open(file, hash = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const url = pathToFileURL(resolve(file)).href;
  page.problems = [];
  page.on('console', (said) => { if (said.type() !== 'log') page.problems.push(`${said.type()}: ${said.text()}`); });
  page.on('pageerror', (problem) => page.problems.push(problem.message));
  page.on('request', (request) => { if (!request.url().startsWith(url)) page.problems.push(`request: ${request.url()}`); });
  await page.goto(url + hash);
  await page.waitForSelector('html[data-ready=yes]');
  return page;
}

async function close(page) {
  assert.deepEqual(page.problems, []);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await page.context().close();
}

const names = (page) => page.locator('.cases tbody th a').allTextContents();
const caseHash = (name) => `#/case/${encodeURIComponent(name)}`;

const looks = {
  async 'the overview counts, and what wants attention comes first'() {
    const page = await open(small);
    assert.match(await page.locator('h1').textContent(), /regressed.*of 60 expected cases/);
    assert.equal(await page.locator('.cases tbody tr').count(), 60);
    const wanting = await page.locator('.cases tbody tr').evaluateAll((rows) => rows.map((row) => row.classList.contains('attention')));
    assert.ok(wanting[0]);
    assert.equal(wanting.lastIndexOf(true) + 1, wanting.filter(Boolean).length);
    assert.match(await page.locator('.warning').first().textContent(), /1 result is replayed from recorded traces, NOT MEASURED/);
    await close(page);
  },

  async 'replayed, imported and mixed numbers are marked, and untrusted ones are not shown'() {
    const page = await open(small);
    assert.equal(await page.locator('.remark', { hasText: 'replayed, NOT MEASURED' }).count(), 1);
    assert.equal(await page.locator('.remark', { hasText: 'imported' }).count(), 1);
    assert.equal(await page.locator('.remark', { hasText: 'mixed call' }).count(), 1);
    for (const phrase of ['untrusted', 'not run']) {
      const cells = await page.locator('.cases tbody tr', { has: page.locator('.badge', { hasText: phrase }) }).first().locator('td.number').allTextContents();
      assert.ok(cells.every((cell) => cell === '–'), `${phrase}: ${cells}`);
    }
    await close(page);
  },

  async 'columns sort both ways, and what has no number comes last'() {
    const page = await open(small);
    await page.getByRole('button', { name: 'Case', exact: true }).click();
    const up = await names(page);
    assert.deepEqual(up, [...up].sort());
    await page.getByRole('button', { name: 'Case', exact: true }).click();
    assert.deepEqual(await names(page), [...up].sort().reverse());
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const changes = (await page.locator('.cases tbody td:nth-child(5)').allTextContents()).map((text) => Number(text.replace('−', '-').replace(' %', '')));
    const known = changes.filter((change) => !Number.isNaN(change));
    assert.ok(known.length > 50);
    assert.deepEqual(known, [...known].sort((a, b) => b - a));
    assert.ok(changes.slice(known.length).every(Number.isNaN));
    assert.equal(await page.locator('th[aria-sort=descending]').textContent(), 'Change');
    await close(page);
  },

  async 'searching and the chips narrow the table'() {
    const page = await open(small);
    await page.keyboard.press('/');
    await page.keyboard.type('softmax regressed');
    const found = await names(page);
    assert.ok(found.length > 0 && found.length < 12);
    assert.ok(found.every((name) => name.startsWith('softmax')));
    await page.getByRole('searchbox').fill('no such case');
    assert.equal(await page.locator('.cases tbody tr').count(), 0);
    assert.equal(await page.getByRole('status').textContent(), '0 of 60 cases');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^Improved/ }).click();
    assert.ok((await page.locator('.cases .badge').allTextContents()).every((text) => text === 'improved'));
    await close(page);
  },

  async 'a case opens from the table, and back finds the table as it was'() {
    const page = await open(small);
    await page.getByRole('searchbox').fill('gemm');
    const [first] = await names(page);
    await page.getByRole('link', { name: first, exact: true }).click();
    await page.waitForSelector('.case-head');
    assert.equal(await page.locator('h1').textContent(), first);
    assert.match(await page.title(), new RegExp(first.replaceAll('.', '\\.')));
    await page.goBack();
    await page.waitForSelector('.cases');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'gemm');
    await close(page);
  },

  async 'a case by deep link has its trend, samples, libraries, roofline and environment'() {
    const page = await open(small, caseHash('gemm.shape-1.bf16'));
    assert.deepEqual(await page.locator('.card > h2').allTextContents(), ['Trend over runs', 'Samples of run 90', 'Implementations side by side', 'Roofline', 'Case, method and environment']);
    assert.equal(await page.locator('.chart canvas').count(), 5);
    assert.deepEqual(await page.locator('.side tbody th').allTextContents(), ['this op', 'cublas', 'cudnn']);
    assert.match(await page.locator('.changes li').first().textContent(), /^[+−]\d/);
    assert.match(await page.locator('main').textContent(), /GPU-first-unit/);
    await close(page);
    const none = await open(small, '#/case/nosuch');
    assert.match(await none.locator('main').textContent(), /no case nosuch/);
    await close(none);
  },

  async 'hovering tells a run, and so do the arrow keys'() {
    const page = await open(small, caseHash('softmax.shape-0.f32'));
    const chart = page.locator('.chart').first();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator('.u-over').boundingBox();
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
    const tip = chart.locator('.tooltip');
    assert.match(await tip.textContent(), /^run 8\d, 2025-\d\d-\d\d .*commit .*regressed.*median .*us.*p10 to p90.*baseline .*limit .*SM clock \d+ MHz/);
    await chart.focus();
    await page.keyboard.press('End');
    assert.match(await chart.locator('[aria-live]').textContent(), /^run 90, /);
    await page.keyboard.press('ArrowLeft');
    assert.match(await chart.locator('[aria-live]').textContent(), /^run 89, /);
    await page.keyboard.press('Home');
    assert.match(await chart.locator('[aria-live]').textContent(), /^run 1, /);
    await close(page);
  },

  async 'a chart zooms by dragging and resets by a double click'() {
    const page = await open(small, caseHash('gemm.shape-1.bf16'));
    const chart = page.locator('.chart').first();
    const box = await chart.locator('.u-over').boundingBox();
    const range = () => chart.evaluate((frame) => frame.plot.scales.x.max - frame.plot.scales.x.min);
    const whole = await range();
    await page.mouse.move(box.x + 100, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 60, { steps: 4 });
    await page.mouse.up();
    assert.ok((await range()) < whole / 2);
    await page.mouse.dblclick(box.x + 200, box.y + 50);
    assert.equal(await range(), whole);
    await close(page);
  },

  async 'every result of a case is in its table, those without a number too'() {
    const page = await open(small, caseHash('softmax.shape-2.f32'));
    await page.locator('.points summary').click();
    await page.waitForSelector('.points tbody tr');
    assert.equal(await page.locator('.points tbody tr').count(), 90);
    const failed = page.locator('.points tbody tr', { has: page.locator('.badge.failed') });
    assert.equal(await failed.count(), 23);
    assert.equal(await failed.first().locator('td').nth(4).textContent(), '–');
    await close(page);
  },

  async 'hostile names, reasons and commits are texts'() {
    const page = await open(small, caseHash(kHostile));
    assert.equal(await page.locator('h1').textContent(), kHostile);
    assert.equal(await page.locator('.reason').textContent(), kHostile);
    assert.match(await page.locator('.top').textContent(), /<\/code><scr/);
    await page.getByRole('link', { name: '← All cases' }).click();
    await page.waitForSelector('.cases');
    assert.ok((await names(page)).includes(kHostile));
    assert.ok((await page.locator('dd code').allTextContents()).includes(kHostileCommit));
    assert.equal(await page.locator('img').count(), 0);
    await close(page);
  },

  async 'themes follow the system and the button, and every text has contrast'() {
    for (const colorScheme of ['light', 'dark']) {
      for (const hash of ['', caseHash('gemm.shape-1.bf16')]) {
        const page = await open(small, hash, { colorScheme });
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        assert.deepEqual(await page.evaluate(lowContrast), []);
        await page.screenshot({ path: `${hash ? 'case' : 'overview'}-${colorScheme}.png`, fullPage: hash !== '' });
        await page.locator('.theme').click();
        assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        await close(page);
      }
    }
  },

  async 'what can be used has a name, and the page has one main and one first heading'() {
    for (const hash of ['', caseHash('gemm.shape-1.bf16')]) {
      const page = await open(small, hash);
      assert.equal(await page.locator('main').count(), 1);
      assert.equal(await page.locator('h1').count(), 1);
      const nameless = await page.evaluate(() => [...document.querySelectorAll('a, button, select, input, [tabindex="0"]')]
        .filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.closest('label'))).map((one) => one.outerHTML));
      assert.deepEqual(nameless, []);
      await close(page);
    }
  },

  async 'a narrow screen scrolls no page sideways'() {
    for (const hash of ['', caseHash('gemm.shape-1.bf16')]) {
      const page = await open(small, hash, { viewport: { width: 390, height: 800 } });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await close(page);
    }
  },

  async 'a year of 500 cases is small, fast, and whole'() {
    const bytes = statSync(large).size;
    assert.ok(bytes < kMostBytes, `${bytes} bytes`);
    const times = [];
    let page;
    for (let i = 0; i < 3; i++) {
      if (page) await close(page);
      page = await open(large);
      times.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))));
    }
    times.sort((a, b) => a - b);
    console.log(`  ${kCases} cases x ${kRuns} runs: ${(bytes / 1e6).toFixed(2)} MB, shown after ${times[1].toFixed(0)} ms (median of 3)`);
    if (process.env.OPGATE_BENCHMARK) assert.ok(times[1] < kMostLoadMs, `${times[1]} ms`);
    assert.equal(await page.locator('.cases tbody tr').count(), kCases);
    for (const name of await names(page)) {
      if (!/[.]shape-(3|41|83)[.]/.test(name)) continue;
      await page.evaluate((hash) => { location.hash = hash; }, caseHash(name));
      await page.waitForFunction((text) => document.querySelector('h1').textContent === text, name);
      const seen = await page.locator('.chart').first().evaluate((frame) => frame.plot.data[0].length);
      assert.equal(seen, kRuns, name);
    }
    await page.locator('.points summary').click();
    await page.waitForSelector('.points tbody tr');
    assert.equal(await page.locator('.points tbody tr').count(), kRuns);
    const chart = page.locator('.chart').first();
    await chart.focus();
    await page.keyboard.press('Home');
    for (let run = 1; run <= kRuns; run++) {
      if (run > 1) await page.keyboard.press('ArrowRight');
      assert.ok((await chart.locator('[aria-live]').textContent()).startsWith(`run ${run}, `), `run ${run}`);
    }
    await close(page);
  },
};

// Texts below WCAG's 4.5 : 1 (3 : 1 when large), against the nearest background that is not transparent.
function lowContrast() {
  const channels = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || ![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    let behind = element;
    let back = [0, 0, 0, 0];
    for (; behind && (back[3] ?? 1) === 0; behind = behind.parentElement) back = channels(getComputedStyle(behind).backgroundColor);
    const style = getComputedStyle(element);
    const [a, b] = [luminance(channels(style.color)), luminance(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) bad.push(`${element.className || element.tagName}: ${ratio.toFixed(2)} ${element.textContent.slice(0, 30)}`);
  }
  return [...new Set(bad)];
}

let failed = 0;
for (const [what, look] of Object.entries(looks)) {
  try {
    await look();
    console.log(`ok    ${what}`);
  } catch (problem) {
    failed++;
    console.log(`WRONG ${what}\n${problem.stack}`);
  }
}
await browser.close();
process.exit(failed === 0 ? 0 : 1);
