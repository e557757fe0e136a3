export const statuses = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'] as const;
export const kinds = ['lens', 'workflow', 'prompt', 'judging'] as const;

/** The filters of the list of runs, as they stand in its address. */
export interface RunFilters {
  status?: (typeof statuses)[number] | undefined;
  kind?: (typeof kinds)[number] | undefined;
  tag?: string | undefined;
  lensId?: string | undefined;
  workflowId?: string | undefined;
}

const oneOf = <T extends string>(options: readonly T[], value: unknown): T | undefined =>
  options.find((each) => each === value);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The filters of an address; what is not a filter is left out. */
export const runFiltersOf = (search: Readonly<Record<string, unknown>>): RunFilters =>
  Object.fromEntries(
    Object.entries({
      status: oneOf(statuses, search['status']),
      kind: oneOf(kinds, search['kind']),
      tag: text(search['tag']),
      lensId: text(search['lensId']),
      workflowId: text(search['workflowId']),
    }).filter(([, value]) => value !== undefined),
  );
