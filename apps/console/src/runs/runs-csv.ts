import type { shapes } from '@lensforge/sdk';

type Cell = string | number | null | undefined;

/** A chosen column. */
export interface CsvColumn {
  name: string;
  read: (run: shapes.RunItem) => Cell;
}

/** More runs are left out of a file, so that it stays small enough for a browser. */
export const maxExportedRuns = 10_000;

/** Quotes a cell. A cell that a spreadsheet would compute as a formula gets an apostrophe in front. */
const toCell = (value: Cell): string => {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

const toLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`;

/** The runs of a list as a table in CSV, with the chosen columns. */
export async function writeRunsCsv(
  runs: AsyncIterable<shapes.RunItem>,
  columns: readonly CsvColumn[],
): Promise<{ lines: string[]; isWhole: boolean }> {
  const lines = [toLine(['id', 'status', 'title', ...columns.map(({ name }) => name), 'createdAt'])];
  for await (const run of runs) {
    if (lines.length > maxExportedRuns) return { lines, isWhole: false };
    const chosen = columns.map(({ read }) => read(run));
    lines.push(toLine([run.id, run.status, run.title, ...chosen, run.createdAt]));
  }
  return { lines, isWhole: true };
}
