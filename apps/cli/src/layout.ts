import { printable } from './terminal.js';

/** A heading and the text of an item below it. */
export type Column<T> = readonly [heading: string, cell: (item: T) => unknown];

const usualMaxCell = 60;

const cellText = (value: unknown, maxCell: number): string => {
  if (value === null || value === undefined || value === '') return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = printable(text.replace(/\s+/g, ' '));
  const characters = Array.from(line);
  return characters.length > maxCell ? `${characters.slice(0, maxCell - 1).join('')}…` : line;
};

/** A table with aligned columns. */
export function table<T>(columns: readonly Column<T>[], items: readonly T[], maxCell = usualMaxCell): string {
  const rows = [
    columns.map(([heading]) => heading.toUpperCase()),
    ...items.map((item) => columns.map(([, cell]) => cellText(cell(item), maxCell))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => Array.from(row[at] ?? '').length)));
  const padded = (cell: string, at: number): string => cell + ' '.repeat((widths[at] ?? 0) - Array.from(cell).length);
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** Names and values, one in each line; undefined values are left out. */
export function fields(values: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  const formatValue = (value: unknown): string =>
    value === null || value === '' ? '-' : printable(typeof value === 'string' ? value : JSON.stringify(value));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}`).join('\n');
}

/** A time to the minute, in UTC. */
export const time = (text: string | null | undefined): string => (text ? text.slice(0, 16).replace('T', ' ') : '-');
