import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunStatus } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  acceptWorkflowRun,
  cancelRun,
  claimRuns,
  endRun,
  finishRuns,
  finishWithSettlement,
  moveNodes,
  recordLensRun,
  reconcileRuns,
  reportRun,
} from '../index.js';
import { Run } from '../run.entity.js';
import { aFinish, aMove, aRun } from '../testing.js';

let database: RunsDatabase;
let who: Context;

beforeAll(async () => {
  database = await openRunsDatabase();
  who = await database.anAccount(1_000_000);
  await database.source.query(
    `insert into webhook_endpoints (id, account_id, url, events, secret)
     values ($1, $2, 'https://example.org', '{run.completed,run.failed}', '')`,
    [newId(), who.actor.accountId],
  );
});
afterAll(() => database.close());

const failure = { errorCode: 'PROVIDER_ERROR', errorMessage: 'no' };
const output = () => ({
  id: newId(),
  kind: 'text' as const,
  contentText: 'x',
  contentJson: null,
  isPrimaryOutput: true,
});
const claimed = (cause: object | undefined, credits = false) => database.aClaimedRun(who, { credits, cause });
const claimedWorkflow = async (more: object = {}): Promise<string> => {
  const { runId } = await acceptWorkflowRun(who, {
    workflowId: (await aWorkflow(who)).id,
    inputs: {},
    awaited: true,
    ...more,
  });
  await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 12_000 }]);
  return runId;
};
const reconcile = (maxLost = 3) => reconcileRuns(database.platform, { maxLost, cancelGraceMs: 1, limit: 100 });

/** `cause` is that of the run. */
const ways: [string, RunStatus, (cause?: Record<string, unknown>) => Promise<string>][] = [
  [
    'success',
    'succeeded',
    async (cause) => {
      const run = await claimed(cause);
      await finishRuns(database.platform, [aFinish(run, { artifacts: [output()] })]);
      return run.id;
    },
  ],
  [
    'success that costs credits',
    'succeeded',
    async (cause) => {
      const run = await claimed(cause, true);
      await finishWithSettlement(database.platform, aFinish(run, { artifacts: [output()], cost: 7 }));
      return run.id;
    },
  ],
  [
    'failure',
    'failed',
    async (cause) => {
      const run = await claimed(cause, true);
      await finishWithSettlement(database.platform, aFinish(run, { failure }));
      return run.id;
    },
  ],
  [
    'cancel of a queued run',
    'canceled',
    async (cause) => {
      const { runId } = await aRun(who, { cause, modelOverride: database.pricey.key });
      await cancelRun(who, runId);
      return runId;
    },
  ],
  [
    'cancel by its worker',
    'canceled',
    async (cause) => {
      const { id: runId, attempt } = await claimed(cause, true);
      await endRun(database.platform, { runId, attempt, from: 'running', status: 'canceled', reason: 'x' });
      return runId;
    },
  ],
  [
    'cancel of a workflow run',
    'canceled',
    async (cause) => {
      const runId = await claimedWorkflow({ cause });
      await cancelRun(who, runId);
      return runId;
    },
  ],
  [
    'its deadline',
    'timed_out',
    async (cause) => {
      const { id } = await claimed(cause, true);
      await database.set(id, `deadline_at = now() - interval '1 s'`);
      await reconcile();
      return id;
    },
  ],
  [
    'the loss of its workers',
    'failed',
    async (cause) => {
      const { id } = await claimed(cause, true);
      await database.set(id, `lease_until = now() - interval '1 s'`);
      await reconcile(1);
      return id;
    },
  ],
  [
    'the success of its last node',
    'succeeded',
    async (cause) => {
      const runId = await claimedWorkflow({ cause });
      const end = { status: 'succeeded', artifacts: [output()], failure: null } as const;
      await moveNodes(database.platform, [aMove(runId, { spent: 7, end })]);
      return runId;
    },
  ],
  [
    'the failure of its last node',
    'failed',
    async (cause) => {
      const runId = await claimedWorkflow({ cause });
      const end = { status: 'failed', artifacts: [], failure } as const;
      await moveNodes(database.platform, [aMove(runId, { spent: 7, end })]);
      return runId;
    },
  ],
  [
    'the end of its parent',
    'canceled',
    async () => {
      const parentRunId = await claimedWorkflow();
      const cause = { kind: 'node', runId: parentRunId, nodeKey: 'n', generation: 0 };
      const runId = await claimedWorkflow({ parentRunId, cause });
      await cancelRun(who, parentRunId);
      return runId;
    },
  ],
  [
    'the report of its caller',
    'succeeded',
    async () => {
      const { id: workflowId } = await aWorkflow(who);
      const order = { workflowId, lensId: newId(), lensVersionId: newId(), prompt: 'x', params: {} };
      const { runId } = await recordLensRun(who, order);
      await reportRun(who, { runId, status: 'succeeded', output: 'x' });
      return runId;
    },
  ],
];

const platformEvents = { succeeded: ['run.completed'], failed: ['run.failed'], timed_out: ['run.failed'] } as const;
const terminal = /^run\.(succeeded|failed|canceled|timed_out)$/;

describe('a run that ended by', () => {
  it.each(ways)(
    '%s has one terminal event, the platform event of its status, and consistent billing',
    async (_, status, end) => {
      const runId = await end();
      const run = await database.source.manager.findOneByOrFail(Run, { id: runId });
      expect(run).toMatchObject({ status, worker: null, leaseUntil: null, completedAt: expect.any(Date) });
      const hasError = status === 'failed' || status === 'timed_out';
      expect([run.errorCode, run.errorMessage]).toEqual(
        hasError ? [expect.any(String), expect.any(String)] : [null, null],
      );

      const types = await database.typesOf(runId);
      expect(types).toHaveLength(run.lastSequence);
      expect(types.filter((type) => terminal.test(type))).toEqual([`run.${status}`]);
      expect(types.at(-1)).toBe(`run.${status}`);

      const sent = await database.source.query<{ type: string }[]>(
        `select payload ->> 'type' as type from outbox
        where job = 'platform-event.fan-out' and payload -> 'data' ->> 'runId' = $1`,
        [runId],
      );
      expect(sent.map(({ type }) => type)).toEqual(status === 'canceled' ? [] : platformEvents[status as 'failed']);

      const [hold, cost] = [Number(run.creditHold), Number(run.creditCost)];
      expect(run.billingStatus).toBe(cost > 0 ? 'charged' : hold > 0 ? 'released' : 'none');
      expect(types.includes('credits.charged')).toBe(hold > 0 && cost > 0);
      expect(types.includes('credits.released')).toBe(hold > cost);
      const [{ held, settled }] = await database.source.query<[{ held: number; settled: number }]>(
        `select coalesce(sum(amount) filter (where kind = 'hold'), 0)::int as held,
              coalesce(sum(amount) filter (where kind <> 'hold'), 0)::int as settled from credit_entries where run_id = $1`,
        [runId],
      );
      expect([held, settled]).toEqual([hold, hold]);
      expect(await database.faults()).toEqual([]);
    },
  );
});

describe('a run of a battle that ended by', () => {
  const ofBattles = ways.filter(([way]) => way !== 'the end of its parent' && way !== 'the report of its caller');
  const battleJobs = (battleId: string) =>
    database.source.query<object[]>(
      `select o.id = (o.payload ->> 'outboxId')::uuid and o.job_id = o.id || '-g0' as "hasItsId", o.job, r.request_id = o.request_id as "hasRequest"
         from outbox o left join runs r on r.cause ->> 'battleId' = o.payload ->> 'battleId'
        where o.payload ->> 'battleId' = $1`,
      [battleId],
    );

  it.each(ofBattles)('%s advances its battle once', async (_, status, end) => {
    const battleId = newId();
    const runId = await end({ kind: 'battle', battleId, contenderId: newId() });
    expect(await database.statusOf(runId)).toBe(status);
    const jobs = await battleJobs(battleId);
    expect(jobs).toEqual([{ hasItsId: true, hasRequest: true, job: 'battle.advance' }]);
    await endRun(database.platform, { runId, from: 'running', status: 'canceled', reason: 'too late' });
    expect(await battleJobs(battleId)).toHaveLength(1);
  });

  it('has no such job before its end, nor does the end of other runs', async () => {
    const before = await database.rowsIn(`outbox where job = 'battle.advance'`);
    const battleId = newId();
    await claimed({ kind: 'battle', battleId });
    expect(await battleJobs(battleId)).toEqual([]);
    for (const cause of [undefined, { kind: 'schedule', battleId }]) {
      await finishRuns(database.platform, [aFinish(await claimed(cause))]);
    }
    expect(await database.rowsIn(`outbox where job = 'battle.advance'`)).toBe(before);
  });
});

describe('the end of a run of an AI lenser', () => {
  it.each(['agent', 'team', 'thread'])('with the cause %s is recorded by a job', async (kind) => {
    const run = await claimed({ kind, agentId: newId() });
    await finishRuns(database.platform, [aFinish(run)]);
    const found = await database.source.query<object[]>(
      `select payload, job_id = id || '-g0' as "hasItsId" from outbox
        where job = 'agent-run.record-end' and payload ->> 'runId' = $1`,
      [run.id],
    );
    expect(found).toEqual([{ payload: { runId: run.id, outboxId: expect.any(String) }, hasItsId: true }]);
  });
});

describe('a run that answers in a thread and ended by', () => {
  const answers = ways.filter(([way]) => way !== 'the end of its parent' && way !== 'the report of its caller');

  it.each(answers)('%s has its answer posted once', async (_, status, end) => {
    const runId = await end({ kind: 'thread', threadId: newId(), messageId: newId(), agentId: newId() });
    expect(await database.statusOf(runId)).toBe(status);
    await endRun(database.platform, { runId, from: 'running', status: 'canceled', reason: 'too late' });
    const jobs = await database.source.query<object[]>(
      `select job, (payload ->> 'outboxId')::uuid = id and job_id = id || '-g0' as "hasItsId" from outbox
        where job like 'thread.%' and payload ->> 'runId' = $1`,
      [runId],
    );
    expect(jobs).toEqual([{ job: 'thread.post-answer', hasItsId: true }]);
  });
});
