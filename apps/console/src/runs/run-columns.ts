import type { shapes } from '@lensforge/sdk';
import { type CSSProperties, useState } from 'react';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { readStored, store } from '../ui/stored';
import { duration } from '../ui/time';
import { toVisible } from '../ui/visible-text';

type RunValue = string | number | null | undefined;

/** A column that a person can choose; status, name and time are always there. */
export interface RunColumn {
  name: string;
  width: string;
  isNumber?: boolean;
  show: (run: shapes.RunItem) => RunValue;
  /** The value in a file, if it is not the one that is shown. */
  toFile?: (run: shapes.RunItem) => RunValue;
}

const measureRun = ({ startedAt, completedAt }: shapes.RunItem): number | null =>
  startedAt === null || completedAt === null ? null : Date.parse(completedAt) - Date.parse(startedAt);

const words = runsTexts.columns;
const text = { width: 'minmax(0, 1fr)' };
const number = { width: 'minmax(0, 6rem)', isNumber: true };

const columns = {
  version: { ...text, name: texts.runs.version, show: ({ version }) => version },
  input: { width: 'minmax(0, 2fr)', name: words.input, show: ({ input }) => input && toVisible(input) },
  origin: { ...text, name: words.origin, show: ({ origin }) => origin.replaceAll('_', ' ') },
  tags: { ...text, name: words.tags, show: ({ tags }) => tags.map(toVisible).join(', ') || null },
  errorCode: { ...text, name: texts.runs.error, show: ({ errorCode }) => errorCode },
  providerKey: { ...text, name: words.provider, show: ({ providerKey }) => providerKey },
  modelKey: { ...text, name: texts.runs.model, show: ({ modelKey }) => modelKey },
  durationMs: {
    ...number,
    name: texts.runs.took,
    show: (run) => {
      const ms = measureRun(run);
      return ms === null ? null : duration(ms);
    },
    toFile: measureRun,
  },
  creditCost: { ...number, name: texts.runs.cost, show: ({ creditCost }) => creditCost },
} satisfies Record<string, RunColumn>;

export type ColumnKey = keyof typeof columns;

export const runColumns: Readonly<Record<ColumnKey, RunColumn>> = columns;
export const columnKeys = Object.keys(columns) as ColumnKey[];
export const isColumnKey = (id: string): id is ColumnKey => id in columns;

const storageKey = 'lensforge.runColumns';
const usual: readonly ColumnKey[] = ['modelKey', 'durationMs', 'creditCost'];

/** The columns of a stored list, in the order of the table. */
export const readColumns = (stored: unknown): readonly ColumnKey[] =>
  Array.isArray(stored) ? columnKeys.filter((key) => stored.includes(key)) : usual;

/** The chosen columns, which this browser keeps. */
export function useRunColumns(): [readonly ColumnKey[], (columns: readonly ColumnKey[]) => void] {
  const [columns, setColumns] = useState(() => readColumns(readStored(storageKey)));
  const change = (next: readonly ColumnKey[]): void => {
    const ordered = readColumns(next);
    store(storageKey, ordered);
    setColumns(ordered);
  };
  return [columns, change];
}

/** The column in a file, named by its member of the API. */
export const toCsvColumn = (key: ColumnKey) => ({ name: key, read: runColumns[key].toFile ?? runColumns[key].show });

/** The widths of all columns of the table: status, name, the chosen ones and the time. */
export const toRowStyle = (columns: readonly ColumnKey[]): CSSProperties => {
  const widths = ['6rem', 'minmax(7.5rem, 3fr)', ...columns.map((key) => runColumns[key].width), '6.25rem'];
  // The type of styles does not know custom properties.
  return { '--run-columns': widths.join(' ') } as CSSProperties;
};
