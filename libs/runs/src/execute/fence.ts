/** An attempt of a run: what a worker holds. In one call there may be an old attempt beside the present one. */
export interface Fence {
  id: string;
  attempt: number;
}

export const fenceOf = ({ id, attempt }: Fence): string => `${id} ${attempt}`;

/** Statements that touch several runs take them in one order, so that two of them cannot wait for each other. */
export const inOrder = <T extends { runId: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0));
