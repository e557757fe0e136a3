import { type RunStatus, causesWithOwnScores } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

/** A run of a lens or workflow that may be evaluated. */
export interface RunToEvaluate {
  runId: string;
  label: string | null;
  tags: readonly string[];
}

/** A run with what tells whether a rule evaluates it. */
export interface EvaluatedRun extends RunToEvaluate {
  /** Its lens or workflow. */
  targetId: string;
  /** False for runs that are scored by those who start them. */
  isOfCaller: boolean;
  hasEnded: boolean;
}

interface RunsOfTarget {
  accountId: string;
  /** The lens or workflow. */
  targetId: string;
  /** Runs that were accepted at or after this time. */
  from: Date;
  limit: number;
}

/** One run with its lens or workflow; undefined for prompts and judgements. The caller checks access. */
export async function readRunToEvaluate({ db }: Context, runId: string): Promise<EvaluatedRun | undefined> {
  const [found] = await db.query<EvaluatedRun[]>(
    `select ${columns}, coalesce(workflow_id, lens_id) as "targetId", ${ofCaller} as "isOfCaller", completed_at is not null as "hasEnded"
       from runs where id = $1 and kind in ('lens', 'workflow')`,
    [runId],
  );
  return found;
}

const columns = 'id as "runId", label, tags';
const kinds = causesWithOwnScores.map((kind) => `'${kind}'`).join(', ');
const ofCaller = `coalesce(cause ->> 'kind', '') not in (${kinds})`;
const ofTarget = `${ofCaller} and account_id = $1 and coalesce(workflow_id, lens_id) = $2`;
const fromId = 'id >= first_id_of($3)';

/** Runs of a target in the order of their acceptance, also those that have not ended. The caller checks access. */
export const listNewRuns = (
  { db }: Context,
  { accountId, targetId, from, limit }: RunsOfTarget,
): Promise<RunToEvaluate[]> => {
  const part = (open: string): string =>
    `(select ${columns} from runs where ${ofTarget} and ${fromId} and ${open} order by id limit $4)`;
  const parts = [
    'completed_at is not null',
    `status in ('queued', 'running') and admitted_at is not null`,
    `status = 'queued' and admitted_at is null`,
  ];
  return db.query(`${parts.map(part).join(' union all ')} order by "runId" limit $4`, [
    accountId,
    targetId,
    from,
    limit,
  ]);
};

export interface EndedRunsOrder extends RunsOfTarget {
  to: Date;
  statuses?: readonly RunStatus[] | undefined;
  label?: string | undefined;
  /** Only these runs. */
  among?: readonly string[] | undefined;
}

/** Runs of a target that have ended, accepted in a range, the newest first. The caller checks access. */
export const listEndedRuns = (
  { db }: Context,
  { accountId, targetId, from, to, limit, statuses, label, among }: EndedRunsOrder,
): Promise<RunToEvaluate[]> =>
  db.query(
    `select ${columns} from runs
      where ${ofTarget} and ${fromId} and id < first_id_of($5) and completed_at is not null
        and ($6::text[] is null or status = any ($6)) and ($7::text is null or label = $7)
        and ($8::uuid[] is null or id = any ($8))
      order by id desc limit $4`,
    [accountId, targetId, from, limit, to, statuses ?? null, label ?? null, among ?? null],
  );

/** The parameters of runs by their ids. The caller checks access. */
export async function readParamsOfRuns(
  { db }: Context,
  runIds: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await db.query<{ id: string; params: Record<string, unknown> }[]>(
    'select id, params from runs where id = any ($1::uuid[])',
    [runIds],
  );
  return new Map(rows.map(({ id, params }) => [id, params]));
}
