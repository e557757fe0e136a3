import type { shapes } from '@lensforge/sdk';
import { type RunRange, type TimeSpan, getRangeBegin, rangeNames } from './run-ranges';

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
  /** The first and the last day, as in 2026-11-29, by the clock of this computer; without a range. */
  from?: string | undefined;
  until?: string | undefined;
  /** A text in the parameters or the output. */
  q?: string | undefined;
  modelKey?: string | undefined;
  errorCode?: string | undefined;
  minCreditCost?: number | undefined;
  minSeconds?: number | undefined;
  scoreName?: string | undefined;
  /** From 0 to 1. */
  maxScore?: number | undefined;
}

const pickOption = <T extends string>(options: readonly T[], value: unknown): T | undefined =>
  options.find((each) => each === value);
/** The router reads a text such as 2026 as a number. */
const text = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined;
const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxAmount ? value : undefined;

const share = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;

/** A day, as in 2026-11-29. */
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** The day of a time by the clock of this computer. */
export function toDay(at: number): string {
  const here = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${here.getFullYear()}-${pad(here.getMonth() + 1)}-${pad(here.getDate())}`;
}

/** The beginning of a day here, or of one that follows. */
function getDayBegin(text: string, later = 0): string {
  const begin = new Date(`${text}T00:00`);
  begin.setDate(begin.getDate() + later);
  return begin.toISOString();
}

/** The most credits or seconds that a filter can ask for. */
export const maxAmount = 1_000_000;

/** The filters of an address; what is not a filter is left out. */
export const readRunFilters = (search: Readonly<Record<string, unknown>>): RunFilters =>
  Object.fromEntries(
    Object.entries({
      status: pickOption(statuses, search['status']),
      kind: pickOption(kinds, search['kind']),
      tag: text(search['tag']),
      lensId: text(search['lensId']),
      workflowId: text(search['workflowId']),
      batchId: text(search['batchId']),
      parentRunId: text(search['parentRunId']),
      range: pickOption(rangeNames, search['range']),
      from: day(search['from']),
      until: day(search['until']),
      q: text(search['q']),
      modelKey: text(search['modelKey']),
      errorCode: text(search['errorCode']),
      minCreditCost: amount(search['minCreditCost']),
      minSeconds: amount(search['minSeconds']),
      scoreName: text(search['scoreName']),
      maxScore: share(search['maxScore']),
    }).filter(([, value]) => value !== undefined),
  );

/** The filters without those that only a search has. */
const splitSearch = ({ q, modelKey, minCreditCost, minSeconds, scoreName, maxScore, ...filters }: RunFilters) => ({
  filters,
  search: {
    q,
    modelKey,
    minCreditCost,
    scoreName,
    maxScore,
    minDurationMs: minSeconds === undefined ? undefined : minSeconds * 1000,
  },
});

/** True if the list is searched, which reads runs one by one instead of an index. */
export const isSearch = (filters: RunFilters): boolean =>
  Object.values(splitSearch(filters).search).some((each) => each !== undefined);

/** The query of the list. */
export function toRunsQuery(filters: RunFilters, now = Date.now()): shapes.RunsQuery {
  const { search } = splitSearch(filters);
  return { ...toRunFilter(filters, now), ...search };
}

/** The time that charts beside the list cover. */
export function toChartSpan({ range, from, until }: RunFilters): RunRange | TimeSpan {
  if (from === undefined && until === undefined) return range ?? 'week';
  const { createdAfter, createdBefore } = toRunFilter({ from, until });
  return { from: createdAfter, to: createdBefore };
}

/** The filters as the API takes them for lists and for operations on many runs; a range begins before `now`. */
export const toRunFilter = (all: RunFilters, now = Date.now()): shapes.RunFilter => {
  const { status, tag, range, from, until, ...rest } = splitSearch(all).filters;
  return {
    ...rest,
    ...(status && { status: [status] }),
    ...(tag && { tag: [tag] }),
    ...(from && { createdAfter: getDayBegin(from) }),
    ...(until && { createdBefore: getDayBegin(until, 1) }),
    ...(range && { createdAfter: getRangeBegin(range, now) }),
  };
};
