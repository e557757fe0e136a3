/** An attempt of a run, the unit that a worker holds. One call may contain an old and the current attempt. */
export interface Fence {
  id: string;
  attempt: number;
}

export const toFenceKey = ({ id, attempt }: Fence): string => `${id} ${attempt}`;

/** Sorts by run id, so that statements lock several runs in the same order and cannot deadlock. */
export const inOrder = <T extends { runId: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0));
