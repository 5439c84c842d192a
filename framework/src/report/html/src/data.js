// The report inside the page: base64 of a gzip file of a JSON text and columns of numbers (page.hpp).
import { ColumnReader } from './columns.js';

const kOutcomes = [
  'pass', 'improved', 'regressed', 'waived', 'inconclusive', 'no-baseline', 'not-comparable', 'measured', 'wrong',
  'untrusted', 'failed', 'running', 'skipped',
];
const kSources = ['measured', 'replayed', 'imported'];

async function unpacked(base64) {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function readReport() {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('This browser is too old to unpack the report: use one of 2023 or newer.');
  }
  const bytes = await unpacked(document.getElementById('opgate-data').textContent);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const report = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  report.columns = bytes.subarray(4 + length);
  report.runs = report.runs.map(([id, started, commit, dirty]) => ({ id, started, commit, dirty: dirty === 1 }));
  report.byName = new Map(report.cases.map((one, index) => [one.name, index]));
  report.cases.forEach((one, index) => { one.index = index; });
  return report;
}

// Points of a case, oldest first; read when first asked for.
export function pointsOf(report, one) {
  if (one.points) return one.points;
  const { count, at } = one.trend;
  const reader = new ColumnReader(report.columns, at);
  const run = reader.integers(count);
  const outcome = reader.integers(count);
  const source = reader.integers(count);
  const series = reader.integers(count);
  const metric = reader.integers(count);
  const [median, p10, p90, mhz, baseline, threshold] = Array.from({ length: 6 }, () => reader.numbers(count));
  one.points = Array.from({ length: count }, (_, i) => ({
    run: report.runs[run[i]],
    outcome: kOutcomes[outcome[i]],
    source: kSources[source[i]],
    series: series[i],
    metric: metric[i] === 1 ? 'cycles' : 'time',
    median: median[i],
    p10: p10[i],
    p90: p90[i],
    mhz: mhz[i],
    baseline: baseline[i],
    limit: baseline[i] === null || threshold[i] === null ? null : baseline[i] * (1 + threshold[i] / 100),
  }));
  return one.points;
}

export function samplesOf(report, implementation) {
  const { count, at } = implementation.samples;
  const reader = new ColumnReader(report.columns, at);
  return { busy: reader.integers(count), mhz: reader.integers(count), group: reader.integers(count) };
}

// Of a median: as it would be at the highest SM clock.
export function corrected(ns, mhz, series) {
  return ns === null || mhz === null || !series.max_sm_mhz ? null : (ns * mhz) / series.max_sm_mhz;
}
