import type { RunFilter, RunStatus } from '@lensforge/contracts';
import { isTerminal, runStatuses } from '@lensforge/contracts';
import type { RunKind } from '../run.entity.js';

export interface RunSelection {
  accountId: string;
  kinds: readonly RunKind[];
  filter: RunFilter;
  /** Only runs with lesser ids: the next page. */
  below: string | null;
  /** Only runs that were accepted at this moment or earlier. */
  upTo?: Date;
  limit: number;
}

export interface RunQuery {
  sql: string;
  parameters: unknown[];
}

/**
 * Asks for the newest runs that fit. It goes by label when there is one; by lens or workflow it asks for ended runs and
 * for the others apart, because only the ended ones are in that index, and merges.
 */
export function runsMatching(columns: string, selection: RunSelection): RunQuery {
  const parameters: unknown[] = [];
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`;
  const { accountId, kinds, filter, below, upTo, limit } = selection;
  const { lensId, workflowId, createdAfter, createdBefore } = filter;
  const [label, ...others] = labelsOf(filter);
  const account = add(accountId, 'uuid');
  const where: string[] = [];
  if (kinds.length === 1) where.push(`r.kind = '${kinds[0]}'`);
  const id = label === undefined ? 'r.id' : 'l.run_id';
  const under = add(below ?? beyond, 'uuid');
  where.push(`${id} < ${under}`);
  if (createdAfter !== undefined) {
    const after = add(momentOf(createdAfter), 'timestamptz');
    where.push(`r.created_at >= ${after}`, `${id} >= first_id_of(${after} - ${clocksDiffer})`);
  }
  if (createdBefore !== undefined) {
    const before = add(momentOf(createdBefore), 'timestamptz');
    where.push(`r.created_at < ${before}`, `${id} < first_id_of(${before} + ${clocksDiffer})`);
  }
  if (upTo) where.push(`r.created_at <= ${add(upTo, 'timestamptz')}`);
  if (lensId !== undefined) where.push(target(add(lensId, 'uuid')), `r.kind = 'lens'`);
  if (workflowId !== undefined) where.push(target(add(workflowId, 'uuid')), `r.kind = 'workflow'`);
  const most = add(limit, 'int');
  let from = 'runs r';
  if (label !== undefined) {
    from = 'run_labels l join runs r on r.id = l.run_id';
    where.push(`l.account_id = ${account}`, `l.label = ${add(label, 'text')}`);
  }
  for (const other of others) {
    const same = `x.account_id = ${account} and x.label = ${add(other, 'text')} and x.run_id = l.run_id`;
    where.push(`exists (select from run_labels x where ${same})`);
  }
  const hasTarget = lensId !== undefined || workflowId !== undefined;
  const isBroad = label !== undefined || (!hasTarget && !filter.status);
  const parts = isBroad ? [{ fits: statusIn(filter.status), ended: true }] : partsBy(filter.status ?? runStatuses);
  // Compared together, account and id can only be walked in an index that has both: of an account with many runs the planner
  // would walk the ids of everybody, and not find any for long where that account has had none for long.
  const together = `(r.account_id, r.id) < (${account}, ${under}) and (r.account_id, r.id) >= (${account}, '${first}')`;
  const branches = parts.map(({ fits, ended }) => {
    const walks = ended && label === undefined && !hasTarget;
    const conditions = [
      walks ? together : `r.account_id = ${account}`,
      ...where,
      ...(fits === undefined ? [] : [fits]),
    ];
    const order = walks ? 'r.account_id desc, r.id desc' : `${id} desc`;
    return `(select ${columns} from ${from} where ${conditions.join(' and ')} order by ${order} limit ${most})`;
  });
  const [only = ''] = branches;
  const sql = branches.length === 1 ? only : `${branches.join(' union all ')} order by id desc limit ${most}`;
  return { sql, parameters };
}

/** An id says when it was made, by the clock of who made it; the row by that of the database. */
const clocksDiffer = `interval '1 hour'`;

const target = (id: string): string => `coalesce(r.workflow_id, r.lens_id) = ${id}`;

const statusIn = (statuses: readonly RunStatus[] | undefined): string | undefined =>
  statuses && `r.status in (${statuses.map((status) => `'${status}'`).join(', ')})`;

interface Part {
  fits: string | undefined;
  ended: boolean;
}

/** Each part is in one index. */
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

const first = '00000000-0000-0000-0000-000000000000';
const beyond = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const labelsOf = ({ batchId, tag = [] }: RunFilter): string[] => [
  ...(batchId === undefined ? [] : [batchLabel(batchId)]),
  ...new Set(tag.map(tagLabel)),
];

export const tagLabel = (tag: string): string => `tag ${tag}`;
export const batchLabel = (batchId: string): string => `batch ${batchId.toLowerCase()}`;

/** Ids begin with 1970, and nothing was accepted before. */
const momentOf = (text: string): Date => new Date(Math.max(Date.parse(text.toUpperCase()), 7_200_000));
