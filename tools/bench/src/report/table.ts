import type { Spread } from './percentile.js';
import type { Cores, Judged, Target } from './row.js';

const heads = ['', 'ours', '(min – max)', 'baseline', '(min – max)', 'ratio', 'target', ''];

export const number = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, digits === 0 ? ',' : '');
};

const range = (spread: Spread | undefined): string =>
  spread && spread.min !== spread.max ? `(${number(spread.min)} – ${number(spread.max)})` : '';

function targetText({ of, least, most }: Target): string {
  const bound =
    least !== undefined && most !== undefined
      ? `${least} – ${most}`
      : least === undefined
        ? `≤ ${most ?? 0}`
        : `≥ ${least}`;
  return of === 'ratio' ? `${bound} ×` : bound;
}

const cells = ({ name, unit, ours, baseline, ratio, target, reached }: Judged): string[] => [
  `${name}, ${unit}`,
  number(ours.median),
  range(ours),
  baseline ? number(baseline.median) : '',
  range(baseline),
  ratio ? `${ratio.median.toFixed(2)} ×` : '',
  target ? targetText(target) : '',
  reached === undefined ? '' : reached ? 'reached' : 'NOT reached',
];

const leftAligned = new Set([0, 7]);

/** Plain text in columns, with a heading for each group. */
export function table(rows: readonly Judged[]): string {
  const body = rows.map(cells);
  const widths = heads.map((head, column) => Math.max(head.length, ...body.map((line) => (line[column] ?? '').length)));
  const show = (line: readonly string[]): string =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return leftAligned.has(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  const lines: string[] = [show(heads)];
  rows.forEach(({ group }, index) => {
    if (rows[index - 1]?.group !== group) lines.push('', group);
    lines.push(show(body[index] ?? []));
  });
  return lines.join('\n');
}

/** For rates also the processor time of one item, which depends little on other load. */
function coresText(cores: Cores, perSecond: number | undefined): string {
  const each = (share: number): string => (perSecond ? ` (${((share / perSecond) * 1000).toFixed(2)} ms each)` : '');
  return Object.entries(cores)
    .filter(([, share]) => share >= 0.015)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => `${name} ${share.toFixed(2)}${each(share)}`)
    .join(', ');
}

/** The load of the processes during a measurement, in shares of one core. */
export function busyLines(rows: readonly Judged[]): string[] {
  return rows.flatMap(({ name, unit, cores, ours, baseline }) => {
    if (!cores) return [];
    const rate = (median: number | undefined) => (unit === '/s' ? median : undefined);
    const lines = [`  ${name}`, `    ours: ${coresText(cores.ours, rate(ours.median))}`];
    if (cores.baseline) lines.push(`    baseline: ${coresText(cores.baseline, rate(baseline?.median))}`);
    return lines;
  });
}
