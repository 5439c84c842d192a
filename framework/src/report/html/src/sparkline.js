import { pointsOf } from './data.js';
import { svg } from './dom.js';

const kWidth = 120;
const kHeight = 26;
const kColumns = 60;

// The newest series as a line, at most kColumns long; each column shows the median of its share.
export function sparkline(report, one) {
  const points = pointsOf(report, one).filter((point) => point.series === 0 && point.median !== null);
  const box = { class: 'spark', width: kWidth, height: kHeight, viewBox: `0 0 ${kWidth} ${kHeight}`, 'aria-hidden': true };
  if (points.length < 2) return svg('svg', box);
  const columns = Math.min(kColumns, points.length);
  const values = Array.from({ length: columns }, (_, i) => {
    const share = points.slice(Math.floor((i * points.length) / columns), Math.floor(((i + 1) * points.length) / columns));
    return share.map((point) => point.median).sort((a, b) => a - b)[share.length >> 1];
  });
  const limit = points.at(-1).limit;
  const low = Math.min(...values);
  const high = Math.max(...values, low * 1.01);
  const x = (i) => 2 + (i / (columns - 1)) * (kWidth - 6);
  const y = (value) => kHeight - 4 - ((value - low) / (high - low)) * (kHeight - 8);
  const line = values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const shown = limit !== null && limit >= low && limit <= high;
  return svg('svg', box,
    shown && svg('line', { class: 'spark-limit', x1: 0, x2: kWidth, y1: y(limit), y2: y(limit) }),
    svg('path', { class: 'spark-line', d: line }),
    svg('circle', { class: limit !== null && values.at(-1) > limit ? 'spark-end over' : 'spark-end', r: 2.2, cx: x(columns - 1), cy: y(values.at(-1)) }));
}
