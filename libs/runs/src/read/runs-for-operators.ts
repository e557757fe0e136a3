import type { OperatorRun, OperatorRunList } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

const most = 100;

const columns = 'id, account_id, kind, status, error_code, worker, waits_for, created_at, deadline_at';
const late = `now() - interval '1 minute'`;
/** Found by id alone: the indexes of failed runs begin with the account, and would be read as a whole. */
const ofTheLastHour = (condition: string): string =>
  `with latest as materialized (select ${columns} from runs where id > first_id_of(now() - interval '1 hour'))
   select * from latest where ${condition} order by id desc limit $1`;

/** Each list by an index that has few rows, or by the ids of the last hour. */
const selections: Readonly<Record<OperatorRunList, string>> = {
  stuck: `(select ${columns} from runs where status = 'queued' and deadline_at < ${late} order by deadline_at limit $1)
          union all
          (select ${columns} from runs
            where status = 'running' and least(deadline_at, lease_until) < ${late} order by id limit $1)`,
  lost: ofTheLastHour(`error_code = 'WORKER_LOST'`),
  failed: ofTheLastHour(`status in ('failed', 'timed_out')`),
  oldest: `select ${columns} from runs where status = 'queued' and admitted_at is not null order by id limit $1`,
};

/** Lists runs of all accounts that may need an operator. The caller checks access. */
export const listRunsForOperators = ({ db }: Context, list: OperatorRunList): Promise<OperatorRun[]> =>
  db.query<OperatorRun[]>(
    `select r.id, r.account_id as "accountId", a.handle as "accountHandle", r.kind, r.status,
            r.error_code as "errorCode", r.worker, r.waits_for as "waitsFor",
            iso(r.created_at) as "createdAt", iso(r.deadline_at) as "deadlineAt"
       from (${selections[list]}) r left join accounts a on a.id = r.account_id
      order by ${list === 'lost' || list === 'failed' ? 'r.id desc' : 'r.created_at, r.id'} limit $1`,
    [most],
  );

export interface WaitingRuns {
  provider: string;
  model: string;
  byok: boolean;
  runs: number;
}

/** Counts the queued runs that wait for another attempt, by their models. */
export const waitingRunsByModel = ({ db }: Context, counted: number): Promise<WaitingRuns[]> =>
  db.query<WaitingRuns[]>(
    `select m.provider_key as provider, m.key as model, r.byok_key_id is not null as byok, count(*)::int as runs
       from (select model_id, byok_key_id from runs
              where status = 'queued' and admitted_at is not null and attempt > 0 limit $1) r
       join models m on m.id = r.model_id
      group by 1, 2, 3`,
    [counted],
  );
