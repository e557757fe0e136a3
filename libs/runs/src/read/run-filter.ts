import { type RunFilter, type RunKind, type RunStatus, isTerminal, runKinds, runStatuses } from '@lensforge/contracts';

export interface RunSelection {
  accountId: string;
  kinds: readonly RunKind[];
  filter: RunFilter;
  /** Only runs with lower ids: the next page. */
  below: string | null;
  /** Only runs that were accepted at this time or earlier, with its microseconds. */
  upTo?: string;
  limit: number;
}

export interface RunQuery {
  sql: string;
  parameters: unknown[];
}

/**
 * Builds the query for the newest runs that match a filter. It uses the index of labels if the filter has a label. By
 * lens or workflow it queries ended and open runs separately and merges them, because only ended runs are in that index.
 */
export function runsMatching(columns: string, selection: RunSelection): RunQuery {
  const parameters: unknown[] = [];
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`;
  const { accountId, kinds, filter, below, upTo, limit } = selection;
  const { lensId, workflowId, parentRunId, createdAfter, createdBefore, errorCode } = filter;
  const wanted = filter.status ?? (errorCode === undefined ? undefined : unsuccessful);
  const [label, ...others] = listLabels(filter);
  const account = add(accountId, 'uuid');
  const where: string[] = [];
  if (kinds.length < runKinds.length) where.push(`r.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`);
  const id = label === undefined ? 'r.id' : 'l.run_id';
  const upperId = add(below ?? beyond, 'uuid');
  where.push(`${id} < ${upperId}`);
  if (createdAfter !== undefined) {
    const after = add(toTimestamp(createdAfter), 'timestamptz');
    where.push(`r.created_at >= ${after}`, `${id} >= first_id_of(${after} - ${clockTolerance})`);
  }
  if (createdBefore !== undefined) {
    const before = add(toTimestamp(createdBefore), 'timestamptz');
    where.push(`r.created_at < ${before}`, `${id} < first_id_of(${before} + ${clockTolerance})`);
  }
  if (upTo) where.push(`r.created_at <= ${add(upTo, 'timestamptz')}`);
  if (lensId !== undefined) where.push(target(add(lensId, 'uuid')), `r.kind = 'lens'`);
  if (workflowId !== undefined) where.push(target(add(workflowId, 'uuid')), `r.kind = 'workflow'`);
  if (errorCode !== undefined) where.push(`r.error_code = ${add(errorCode, 'text')}`);
  if (parentRunId !== undefined) where.push(`r.parent_run_id = ${add(parentRunId, 'uuid')}`);
  const maxRows = add(limit, 'int');
  let from = 'runs r';
  if (label !== undefined) {
    from = 'run_labels l join runs r on r.id = l.run_id';
    where.push(`l.account_id = ${account}`, `l.label = ${add(label, 'text')}`);
  }
  for (const other of others) {
    const condition = `x.account_id = ${account} and x.label = ${add(other, 'text')} and x.run_id = l.run_id`;
    where.push(`exists (select from run_labels x where ${condition})`);
  }
  const hasTarget = lensId !== undefined || workflowId !== undefined;
  // A run has few retries and children, which have an index of their own.
  const hasFew = label !== undefined || parentRunId !== undefined;
  const isBroad = hasFew || (!hasTarget && !wanted);
  const parts = isBroad ? [{ fits: statusIn(wanted), ended: true }] : partsBy(wanted ?? runStatuses);
  // The row comparison of account and id forces an index on both. Otherwise the planner may scan the ids of all accounts,
  // which takes long for an account without recent runs.
  const byAccountAndId = `(r.account_id, r.id) < (${account}, ${upperId}) and (r.account_id, r.id) >= (${account}, '${first}')`;
  const branches = parts.map(({ fits, ended }) => {
    const usesAccountIndex = ended && !hasFew && !hasTarget;
    const conditions = [
      usesAccountIndex ? byAccountAndId : `r.account_id = ${account}`,
      ...where,
      ...(fits === undefined ? [] : [fits]),
    ];
    const order = usesAccountIndex ? 'r.account_id desc, r.id desc' : `${id} desc`;
    return `(select ${columns} from ${from} where ${conditions.join(' and ')} order by ${order} limit ${maxRows})`;
  });
  const [only = ''] = branches;
  const sql = branches.length === 1 ? only : `${branches.join(' union all ')} order by id desc limit ${maxRows}`;
  return { sql, parameters };
}

/** Ids contain the time of the process that made them, rows that of the database. */
export const clockTolerance = `interval '1 hour'`;

const target = (id: string): string => `coalesce(r.workflow_id, r.lens_id) = ${id}`;

const statusIn = (statuses: readonly RunStatus[] | undefined): string | undefined =>
  statuses && `r.status in (${statuses.map((status) => `'${status}'`).join(', ')})`;

interface Part {
  fits: string | undefined;
  ended: boolean;
}

/** Splits the statuses so that each part is in one index. */
function partsBy(wanted: readonly RunStatus[]): Part[] {
  const ended = wanted.filter(isTerminal);
  const open = [
    ...(wanted.includes('running') ? [`r.status = 'running'`] : []),
    ...(wanted.includes('queued')
      ? [`r.status = 'queued' and r.admitted_at is not null`, `r.status = 'queued' and r.admitted_at is null`]
      : []),
  ];
  return [
    ...(ended.length > 0 ? [{ fits: `${statusIn(ended)} and r.completed_at is not null`, ended: true }] : []),
    ...open.map((fits) => ({ fits, ended: false })),
  ];
}

/** The statuses of runs with an error code; they have an index of their own. */
const unsuccessful: readonly RunStatus[] = ['failed', 'timed_out', 'canceled'];

const first = '00000000-0000-0000-0000-000000000000';
const beyond = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const listLabels = ({ batchId, tag = [] }: RunFilter): string[] => [
  ...(batchId === undefined ? [] : [batchLabel(batchId)]),
  ...new Set(tag.map(tagLabel)),
];

export const tagLabel = (tag: string): string => `tag ${tag}`;
export const batchLabel = (batchId: string): string => `batch ${batchId.toLowerCase()}`;

/** Raises earlier times to 1970, the earliest time of an id. */
export const toTimestamp = (text: string): Date => new Date(Math.max(Date.parse(text.toUpperCase()), 7_200_000));
