// Figures as opgate's other outputs write them (format.cpp).
export const kNone = '–';

export function fourDigits(value) {
  const size = Math.abs(value);
  return value.toFixed(size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
}

export function duration(ns) {
  if (ns === null || ns === undefined) return kNone;
  if (Math.abs(ns) < 1e3) return `${Number.isInteger(ns) ? ns : ns.toFixed(1)} ns`;
  for (const [size, unit] of [[1e3, 'us'], [1e6, 'ms'], [1e9, 's']]) {
    if (Math.abs(ns) / size < 999.95) return `${fourDigits(ns / size)} ${unit}`;
  }
  return `${(ns / 1e9).toFixed(0)} s`;
}

// "16.00 – 17.54 us", with both units where they differ.
export function range(low, high) {
  const [from, to] = [duration(low), duration(high)];
  const [value, unit] = from.split(' ');
  return `${unit && to.endsWith(` ${unit}`) ? value : from} – ${to}`;
}

export function change(percent) {
  if (percent === null || percent === undefined) return kNone;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(Math.abs(percent) < 1 ? 2 : 1)} %`;
}

export function percent(value) {
  return value === null || value === undefined ? kNone : `${value.toFixed(Math.abs(value) < 1 ? 2 : 1)} %`;
}

export function ceilingPercent(share) {
  return share ? `${share.percent.toFixed(share.percent < 10 ? 1 : 0)} %` : kNone;
}

// "71 % memory", "(peak)" where no ceiling was measured.
export function ceiling(share) {
  if (!share) return kNone;
  return `${ceilingPercent(share)} ${share.bound}${share.source === 'peak' ? ' (peak)' : ''}`;
}

export function number(value, unit) {
  return value === null || value === undefined ? kNone : `${fourDigits(value)}${unit ? ` ${unit}` : ''}`;
}

export function bytes(value) {
  if (value === null || value === undefined) return kNone;
  let unit = 0;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  for (; unit + 1 < units.length && value >= 1024; unit++) value /= 1024;
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[unit]}`;
}

export function time(ms) {
  return ms > 0 ? `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'time unknown';
}

export function day(ms) {
  return ms > 0 ? new Date(ms).toISOString().slice(5, 10) : '';
}

export function commit(run) {
  return run.commit ? run.commit.slice(0, 12) + (run.dirty ? '+' : '') : kNone;
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
