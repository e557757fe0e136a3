import type { shapes } from '@lensforge/sdk';

type Cell = Pick<shapes.ExperimentCell, 'key' | 'repetition' | 'arm' | 'state' | 'scores'>;

/** A case with its answers by arm. */
export interface CaseRow<T extends Cell> {
  key: string;
  repetition: number;
  cells: ReadonlyMap<string, T>;
}

/** The result of an answer in a word. */
export const getVerdict = ({ state, scores }: Cell): string => {
  if (state !== 'scored') return state;
  return scores.every(({ pass }) => pass) ? 'passed' : 'failed';
};

/** Groups answers by case; those whose arms differ are the first. */
export function toMatrix<T extends Cell>(cells: readonly T[]): CaseRow<T>[] {
  const rows = new Map<string, { key: string; repetition: number; cells: Map<string, T> }>();
  for (const cell of cells) {
    const { key, repetition, arm } = cell;
    const id = JSON.stringify([key, repetition]);
    const row = rows.get(id) ?? { key, repetition, cells: new Map<string, T>() };
    row.cells.set(arm, cell);
    rows.set(id, row);
  }
  const differs = (row: CaseRow<T>): number => (new Set([...row.cells.values()].map(getVerdict)).size > 1 ? 0 : 1);
  return [...rows.values()].toSorted((one, other) => differs(one) - differs(other));
}
