import type { RunStatus } from '@lensforge/contracts';
import { type Context, newId, platformActor } from '@lensforge/core';
import { ledgerFaults } from '@lensforge/credits';
import { openTestDatabase } from '@lensforge/database/testing';
import { type Model } from '@lensforge/models';
import { aPricedModel } from '@lensforge/models/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { type ClaimedRun, claimRuns, limitRuns } from '../src/index.js';
import { ChangeRecorder, aRun, sequenceFaults } from '../src/testing.js';

export const plenty = { atOnce: 10_000, backlog: 20_000 };

export interface RunsDatabase {
  url: string;
  source: DataSource;
  ctx: Context;
  platform: Context;
  /** The changes that use cases have recorded. */
  changes: ChangeRecorder;
  anAccount(credits?: number): Promise<Context>;
  /** A run that a worker has just claimed. */
  aClaimedRun(ctx?: Context, options?: { credits?: boolean; cause?: object | undefined }): Promise<ClaimedRun>;
  /** Costs a credit per four characters of the prompt, and at most 100 for the answer. */
  pricey: Model;
  statusOf(runId: string): Promise<RunStatus>;
  set(runId: string, change: string): Promise<void>;
  typesOf(runId: string): Promise<string[]>;
  outboxOf(runId: string): Promise<{ job: string; jobId: string; payload: { generation: number } }[]>;
  rowsIn(table: string): Promise<number>;
  /** Gaps in event sequences and faults of the ledger. */
  faults(): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Opens a database of its own with an account that has credits. */
export async function openRunsDatabase(): Promise<RunsDatabase> {
  const { url, source, ctx: anyone, close } = await openTestDatabase({ poolSize: 20 });
  // Specs start many runs of one account; those of admission set their own limits.
  limitRuns(source, plenty);
  const changes = new ChangeRecorder(source);
  const platform = { ...anyone, actor: platformActor };

  const anAccount = async (credits = 0): Promise<Context> => {
    const accountId = newId();
    await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
      accountId,
      `a-${accountId}`,
    ]);
    await source.query('insert into credit_accounts values ($1, $2, 0)', [accountId, credits]);
    if (credits > 0) {
      await source.query(
        `insert into credit_entries (id, account_id, kind, debit, credit, amount)
         values ($1, $2, 'grant', 'platform', 'available', $3)`,
        [newId(), accountId, credits],
      );
    }
    return aContext(source.manager, { accountId });
  };
  const ctx = await anAccount(1_000_000);
  const pricey = await aPricedModel(ctx);

  return {
    url,
    source,
    ctx,
    platform,
    changes,
    anAccount,
    pricey,
    aClaimedRun: async (owner = ctx, { credits = false, cause } = {}) => {
      const { runId } = await aRun(owner, { cause, ...(credits && { modelOverride: pricey.key }) });
      const [claimed] = await claimRuns(platform, [{ runId, generation: 0, worker: 'w', leaseMs: 12_000 }]);
      if (!claimed) throw new Error('the run could not be claimed');
      return claimed;
    },
    statusOf: async (runId) =>
      (await source.query<[{ status: RunStatus }]>('select status from runs where id = $1', [runId]))[0].status,
    set: async (runId, change) => {
      await source.query(`update runs set ${change} where id = $1`, [runId]);
    },
    typesOf: async (runId) =>
      (
        await source.query<{ type: string }[]>('select type from run_events where run_id = $1 order by sequence', [
          runId,
        ])
      ).map(({ type }) => type),
    outboxOf: (runId) =>
      source.query(
        `select job, job_id as "jobId", payload from outbox where payload ->> 'runId' = $1 order by available_at, id`,
        [runId],
      ),
    rowsIn: async (table) =>
      (await source.query<[{ count: number }]>(`select count(*)::int as count from ${table}`))[0].count,
    faults: async () => [...(await sequenceFaults(platform)), ...(await ledgerFaults(source.manager))],
    close,
  };
}
