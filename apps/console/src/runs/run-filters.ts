import type { shapes } from '@lensforge/sdk';
import { type RunRange, getRangeBegin, rangeNames } from './run-ranges';

export const statuses = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'] as const;
export const kinds = ['lens', 'workflow', 'prompt', 'judging'] as const;

/** The filters of the list of runs, as they stand in its address. */
export interface RunFilters {
  status?: (typeof statuses)[number] | undefined;
  kind?: (typeof kinds)[number] | undefined;
  tag?: string | undefined;
  lensId?: string | undefined;
  workflowId?: string | undefined;
  batchId?: string | undefined;
  parentRunId?: string | undefined;
  range?: RunRange | undefined;
}

const pickOption = <T extends string>(options: readonly T[], value: unknown): T | undefined =>
  options.find((each) => each === value);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The filters of an address; what is not a filter is left out. */
export const readRunFilters = (search: Readonly<Record<string, unknown>>): RunFilters =>
  Object.fromEntries(
    Object.entries({
      status: pickOption(statuses, search['status']),
      kind: pickOption(kinds, search['kind']),
      // The router reads a tag such as 2026 as a number.
      tag: typeof search['tag'] === 'number' ? String(search['tag']) : text(search['tag']),
      lensId: text(search['lensId']),
      workflowId: text(search['workflowId']),
      batchId: text(search['batchId']),
      parentRunId: text(search['parentRunId']),
      range: pickOption(rangeNames, search['range']),
    }).filter(([, value]) => value !== undefined),
  );

/** The filters as the API takes them; a range begins before `now`. */
export const toRunFilter = ({ status, tag, range, ...rest }: RunFilters, now = Date.now()): shapes.RunFilter => ({
  ...rest,
  ...(status && { status: [status] }),
  ...(tag && { tag: [tag] }),
  ...(range && { createdAfter: getRangeBegin(range, now) }),
});
