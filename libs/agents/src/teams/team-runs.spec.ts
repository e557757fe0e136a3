import { type TeamRun, type TeamRunPolicy, scopes } from '@lensforge/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId, platformActor } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { admitRuns, cancelRun, claimRuns, endRun, readRun, reconcileLimits, reconcileRuns } from '@lensforge/runs';
import { ChangeRecorder } from '@lensforge/runs/testing';
import { aContext } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type AgentsFixture, agentsFixture, codeOf } from '../../test/agents-fixture.js';
import {
  approveTeamRun,
  archiveAgent,
  cancelTeamRun,
  limitTeamRuns,
  listTeamRuns,
  readTeamRun,
  recordAgentRunEnd,
  startTeamRun,
} from '../index.js';

let fixture: AgentsFixture;
let ada: Context;
let stranger: Context;
let workflowId: string;
let changes: ChangeRecorder;
beforeAll(async () => {
  fixture = await agentsFixture();
  changes = new ChangeRecorder(fixture.source);
  [ada, stranger] = [await fixture.aPerson(), await fixture.aPerson()];
  workflowId = (await aWorkflow(ada)).id;
});
afterAll(() => fixture.close());

const anAgent = async (policy: object = {}): Promise<string> => (await fixture.anAgent(ada, { policy }, [])).id;
const start = (agentId: string, policy: TeamRunPolicy = 'auto', more: object = {}): Promise<TeamRun> =>
  startTeamRun(fixture.platform, { agentId, workflowId, inputs: {}, policy, ...more });
const statusOf = async (agentId: string, runId: string): Promise<string> =>
  (await readTeamRun(ada, { agentId, runId })).status;
const eventsOf = async (agentId: string): Promise<string[]> =>
  (await fixture.eventsOf(ada, agentId)).map(({ eventType, payload }) =>
    typeof payload['status'] === 'string' ? `${eventType} ${payload['status']}` : eventType,
  );
const claim = (runId: string) => claimRuns(fixture.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 60_000 }]);
const waitsFor = async (runId: string): Promise<string | null | undefined> =>
  (
    await ada.db.query<{ waitsFor: string | null }[]>('select waits_for as "waitsFor" from runs where id = $1', [runId])
  )[0]?.waitsFor;

describe('startTeamRun', () => {
  it('starts a run of the owner that the service role alone can start', async () => {
    const agentId = await anAgent({ creditsPerDay: 5 });
    expect(await codeOf(startTeamRun(ada, { agentId, workflowId, inputs: {}, policy: 'auto' }))).toBe(
      'PERMISSION_DENIED',
    );
    const run = await start(agentId);
    expect(run).toMatchObject({ aiLenserId: agentId, workflowId, policy: 'auto', status: 'queued', completedAt: null });
    expect(await readRun(ada, run.id)).toMatchObject({ origin: 'team', kind: 'workflow' });
    const [{ cause }] = await ada.db.query<[{ cause: object }]>('select cause from runs where id = $1', [run.id]);
    expect(cause).toEqual({
      kind: 'team',
      agentId,
      agentScopes: scopes,
      creditLimit: { id: agentId, credits: 5, period: 'day', of: 'agent' },
    });
    expect(await eventsOf(agentId)).toEqual(['run.started queued']);
  });

  it('refuses unknown and foreign workflows, invalid inputs, unknown and archived AI lensers', async () => {
    const agentId = await anAgent();
    expect(await codeOf(start(agentId, 'auto', { workflowId: newId() }))).toBe('NOT_FOUND');
    const { id: foreign } = await aWorkflow(stranger);
    expect(await codeOf(start(agentId, 'auto', { workflowId: foreign }))).toBe('NOT_FOUND');
    const inputs = { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } };
    const { id: asking } = await aWorkflow(ada, { graph: { nodes: [], inputs } });
    await expect(start(agentId, 'auto', { workflowId: asking })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { issues: [{ path: 'inputs.topic' }] },
    });
    expect(await codeOf(start(newId()))).toBe('NOT_FOUND');
    await archiveAgent(ada, agentId);
    expect(await codeOf(start(agentId))).toBe('CONFLICT');
    expect((await listTeamRuns(ada, { agentId, limit: 5 })).total).toBe(0);
  });

  it('starts exactly 50 of 200 concurrent runs of a day, over two processes', async () => {
    const agentId = await anAgent();
    const other = await openDatabase({
      url: fixture.url,
      poolSize: 10,
      applicationName: 'other',
    });
    try {
      const second = { ...aContext(other.manager), actor: platformActor };
      const order = { agentId, workflowId, inputs: {}, policy: 'auto' } as const;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 200 }, (_, index) => startTeamRun(index % 2 === 0 ? fixture.platform : second, order)),
      );
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? (each.reason as object) : []));
      expect([outcomes.length - refused.length, refused.length]).toEqual([50, 150]);
      for (const reason of refused) {
        expect(reason).toMatchObject({ code: 'THROTTLED', details: { reason: 'team_runs', limit: 50 } });
      }
      expect((await listTeamRuns(ada, { agentId, limit: 100 })).total).toBe(50);
      const events = await fixture.eventsOf(ada, agentId);
      expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    } finally {
      await other.destroy();
    }
    await ada.db.query(`update agent_days set day = day - 1 where agent_id = $1`, [agentId]);
    expect((await start(agentId)).status).toBe('queued');
    expect((await start(await anAgent())).status).toBe('queued');
  });

  it('starts as many as the setting and the policy say', async () => {
    limitTeamRuns(fixture.source, 1);
    try {
      const agentId = await anAgent();
      await start(agentId);
      await expect(start(agentId)).rejects.toMatchObject({ code: 'THROTTLED', details: { limit: 1 } });
    } finally {
      limitTeamRuns(fixture.source, 50);
    }
    const details = { reason: 'runs_per_day', limit: 0 };
    await expect(start(await anAgent({ runsPerDay: 0 }))).rejects.toMatchObject({ code: 'THROTTLED', details });
  });
});

describe('a team run', () => {
  it('is queued, running, blocked at an approval, and ends with an event', async () => {
    const agentId = await anAgent();
    const { id: runId } = await start(agentId);
    await claim(runId);
    expect(await statusOf(agentId, runId)).toBe('running');
    await ada.db.query(
      `insert into node_waits (id, run_id, node_key, kind, expires_at)
       values ($1, $2, 'a', 'approval', now() + interval '1 h')`,
      [newId(), runId],
    );
    expect(await statusOf(agentId, runId)).toBe('blocked');
    await endRun(fixture.platform, { runId, from: 'running', status: 'failed', reason: 'no', errorCode: 'X' });
    for (let times = 0; times < 2; times += 1) await recordAgentRunEnd(fixture.platform, runId);
    expect(await statusOf(agentId, runId)).toBe('failed');
    expect(await eventsOf(agentId)).toEqual(['run.started queued', 'run.ended failed']);
    expect(await codeOf(cancelTeamRun(ada, { agentId, runId }))).toBe('INVALID_TRANSITION');
  });

  it('writes the job that records its end in the commit that ends it', async () => {
    const { id: runId } = await start(await anAgent());
    await cancelRun(ada, runId);
    const jobs = await ada.db.query<object[]>(
      `select payload ->> 'runId' as "runId" from outbox where job = 'agent-run.record-end' and payload ->> 'runId' = $1`,
      [runId],
    );
    expect(jobs).toEqual([{ runId }]);
  });

  it('can be canceled by its owner, also repeatedly', async () => {
    const agentId = await anAgent();
    const { id: runId } = await start(agentId);
    expect(await codeOf(cancelTeamRun(stranger, { agentId, runId }))).toBe('NOT_FOUND');
    expect(await codeOf(cancelTeamRun(ada, { agentId: await anAgent(), runId }))).toBe('NOT_FOUND');
    for (let times = 0; times < 2; times += 1) {
      expect(await cancelTeamRun(ada, { agentId, runId })).toMatchObject({ id: runId, status: 'cancelled' });
    }
    expect(await eventsOf(agentId)).toEqual(['run.started queued', 'run.ended cancelled']);
    expect((await readRun(ada, runId)).status).toBe('canceled');
  });

  it('waits for its owner when it is manual, and starts once approved', async () => {
    // A person of its own, whose slots no other runs have.
    const ada = await fixture.aPerson();
    const { id: agentId } = await fixture.anAgent(ada, {}, []);
    const { id: workflowId } = await aWorkflow(ada);
    const { id: runId, status } = await start(agentId, 'manual', { workflowId });
    expect(status).toBe('blocked');
    await admitRuns(fixture.platform, [ada.actor.accountId]);
    expect(await waitsFor(runId)).toBe('approval');
    const ref = { agentId, runId };
    expect(await codeOf(approveTeamRun(stranger, ref))).toBe('NOT_FOUND');
    changes.take();
    expect(await approveTeamRun(ada, ref)).toMatchObject({ status: 'queued', approvedAt: expect.any(String) });
    expect(changes.take().toAdmit).toEqual([{ accountId: ada.actor.accountId, concurrencyKey: null }]);
    await admitRuns(fixture.platform, [ada.actor.accountId]);
    expect(await waitsFor(runId)).toBeNull();
    expect(await claim(runId)).toHaveLength(1);
    expect(await codeOf(approveTeamRun(ada, ref))).toBe('CONFLICT');
    const events = await fixture.eventsOf(ada, agentId);
    expect(events.map(({ eventType }) => eventType)).toEqual(['run.started', 'run.approved']);
  });

  it('is cancelled when its owner does not approve it within a day', async () => {
    const agentId = await anAgent();
    const { id: runId } = await start(agentId, 'manual');
    const [{ hours }] = await ada.db.query<[{ hours: number }]>(
      `select round(extract(epoch from deadline_at - now()) / 3600)::int as hours from runs where id = $1`,
      [runId],
    );
    expect(hours).toBe(24);
    await ada.db.query('update runs set deadline_at = now() where id = $1', [runId]);
    expect(await codeOf(approveTeamRun(ada, { agentId, runId }))).toBe('CONFLICT');
    await reconcileRuns(fixture.platform, reconcileLimits);
    expect(await statusOf(agentId, runId)).toBe('cancelled');
    expect(await readRun(ada, runId)).toMatchObject({ errorCode: 'NOT_APPROVED' });
  });
});

describe('archiveAgent', () => {
  it('ends the runs of the AI lenser, and says so in its log', async () => {
    const agentId = await anAgent();
    const [queued, running, blocked] = [await start(agentId), await start(agentId), await start(agentId, 'manual')];
    await claim(running.id);
    await archiveAgent(ada, agentId);
    for (const { id } of [queued, running, blocked]) expect(await statusOf(agentId, id)).toBe('cancelled');
    expect(await codeOf(approveTeamRun(ada, { agentId, runId: blocked.id }))).toBe('CONFLICT');
    const events = await eventsOf(agentId);
    expect(events.slice(3)).toEqual([
      'run.ended cancelled',
      'run.ended cancelled',
      'run.ended cancelled',
      'agent.archived',
    ]);
    await archiveAgent(ada, agentId);
    expect(await eventsOf(agentId)).toEqual(events);
  });

  it('leaves no run of concurrent starts', async () => {
    const agentId = await anAgent();
    const starts = Array.from({ length: 10 }, () => start(agentId).catch(() => undefined));
    await Promise.all([...starts.slice(0, 5), archiveAgent(ada, agentId), ...starts.slice(5)]);
    const { items } = await listTeamRuns(ada, { agentId, limit: 20 });
    expect(items.filter(({ status }) => status !== 'cancelled')).toEqual([]);
  });
});
