import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Scope, scopes } from '@lensforge/contracts';
import { type Context, platformActor } from '@lensforge/core';
import { readLimitUse } from '@lensforge/credits';
import {
  createConnector,
  findCredentials,
  hashToken,
  limitToken,
  revokeToken,
  rotateConnector,
} from '@lensforge/identity';
import { actingAs, aPerson, aToken } from '@lensforge/identity/testing';
import { cancelRun, retryForAccounts, startScheduledRuns } from '@lensforge/runs';
import {
  type ScheduleDetail,
  createSchedule,
  listScheduleTicks,
  readableSchedule,
  saveGraph,
  takeOverSchedule,
  updateSchedule,
} from '@lensforge/workflows';
import { aWorkflow, setNextTick } from '@lensforge/workflows/testing';
import { type AgentSetup, type TestAgent, agentGraph, anAgentSetup, pricedModel } from './agent-setup.js';

let setup: AgentSetup;
/** The person with all scopes and without a limit, as in a session. */
let person: Context;
beforeAll(async () => {
  setup = await anAgentSetup();
  const { user, account } = await aPerson(setup.ctx);
  person = { ...setup.ctx, actor: { ...actingAs(setup.ctx, account.id).actor, userId: user.id } };
  person = { ...person, actor: { ...person.actor, credential: { kind: 'session', id: person.actor.credential.id } } };
  await setup.source.query('insert into credit_accounts (account_id, available, held) values ($1, 100000, 0)', [
    account.id,
  ]);
});
afterAll(() => setup.close());

interface Holder {
  id: string;
  ctx: Context;
}

async function holderOf(value: string, id: string): Promise<Holder> {
  const [actor] = await findCredentials(setup.source.manager, [hashToken(value)]);
  if (!actor) throw new Error('the token is not valid');
  return { id, ctx: { ...person, actor } };
}

/** A developer token of the person, as its holder uses it. */
async function aHolder({ held = scopes, limit }: { held?: readonly Scope[]; limit?: number } = {}): Promise<Holder> {
  const { value, id } = await aToken(person, { accountId: person.actor.accountId, held });
  if (limit !== undefined) await limitToken(person, { tokenId: id, creditLimit: limit, creditPeriod: 'total' });
  return holderOf(value, id);
}

const yearly = '0 0 1 1 *';
const aSchedule = (by: Context, workflowId: string): Promise<ScheduleDetail> =>
  createSchedule(by, { workflowId, cron: yearly });

const startDue = async (): Promise<void> => {
  const platform = { ...person, actor: platformActor };
  const unlimited = () => Promise.resolve(undefined);
  while (await startScheduledRuns(platform, { timeoutMs: 60_000, countRun: unlimited }));
};

/** Lets a schedule tick, and returns the outcome of the tick. */
async function tick(scheduleId: string) {
  const [{ now }] = await person.db.query<[{ now: Date }]>('select now() as now');
  await setNextTick(person, scheduleId, now);
  await startDue();
  const { items } = await listScheduleTicks(person, { scheduleId, limit: 1 });
  return items[0];
}

/** Lets a schedule tick, and waits for the end of its run. */
async function runOf(scheduleId: string) {
  const ticked = await tick(scheduleId);
  if (!ticked?.runId) throw new Error(`the tick started no run: ${ticked?.reason ?? 'it has no row'}`);
  return setup.ended(ticked.runId);
}

const makeLens = {
  name: 'create_lens',
  input: { title: 'By an agent', template_body: 'Greet the reader of this text.' },
};
const anAgent = (): Promise<TestAgent> =>
  setup.anAgent({ tools: ['create_lens'], script: [{ calls: [makeLens] }, { say: '{{1.error.code}}' }] }, person);
const agentWorkflow = async (by: Context): Promise<string> =>
  (await aWorkflow(by, { graph: agentGraph(await anAgent()) })).id;
const denied = 'PERMISSION_DENIED';

/** Asks a model that costs credits. */
const paidGraph = () => ({
  nodes: [
    { id: 'a', type: 'lens', settings: { lensId: setup.lensId, model: pricedModel, params: { Prompt: 'Hello' } } },
  ],
  edges: [],
});

describe('a run that a schedule starts', () => {
  it('counts against the credit limit of the token that made the schedule, until it is used up', async () => {
    const weak = await aHolder({ limit: 150 });
    const { id: workflowId } = await aWorkflow(person, { graph: paidGraph() });
    const { id, authority } = await aSchedule(weak.ctx, workflowId);
    expect(authority).toMatchObject({
      accountId: person.actor.accountId,
      credentialKind: 'developer',
      creditLimit: 150,
    });
    expect(await runOf(id)).toMatchObject({ status: 'succeeded' });
    const use = () => readLimitUse(person, { id: weak.id, period: 'total' });
    const { spent } = await use();
    expect(spent).toBeGreaterThan(0);
    await limitToken(person, { tokenId: weak.id, creditLimit: spent, creditPeriod: 'total' });
    expect(await runOf(id)).toMatchObject({ status: 'failed', errorCode: 'INSUFFICIENT_CREDITS' });
    expect(await use()).toEqual({ held: 0, spent });
    // A schedule of the person has no limit.
    expect(await runOf((await aSchedule(person, workflowId)).id)).toMatchObject({ status: 'succeeded' });
    expect(await use()).toEqual({ held: 0, spent });
  });

  it('lets its agents use the scopes of the credential that made the schedule, and no others', async () => {
    const workflowId = await agentWorkflow(person);
    const weak = await aHolder({ held: ['workflows:write'] });
    expect((await runOf((await aSchedule(weak.ctx, workflowId)).id)).output).toBe(denied);
    expect((await runOf((await aSchedule(person, workflowId)).id)).output).not.toBe(denied);
  });

  it('has no more rights than the editor of its graph, also in child runs', async () => {
    const weak = await aHolder({ held: ['workflows:write'] });
    const workflowId = await agentWorkflow(person);
    const schedule = await aSchedule(person, workflowId);
    const graph = agentGraph(await anAgent());
    await saveGraph(weak.ctx, { workflowId, graph });
    expect((await runOf(schedule.id)).output).toBe(denied);
    const calls = { id: 'call', type: 'workflow', settings: { workflowId } };
    const { id: parent } = await aWorkflow(person, { graph: { nodes: [calls], edges: [] } });
    const ofParent = await aSchedule(person, parent);
    expect((await runOf(ofParent.id)).output).toMatchObject({ call: { work: { text: denied } } });
    // The person saves the same graph, and so stands for it.
    expect(await saveGraph(person, { workflowId, graph })).toMatchObject({ isNew: true });
    expect(await saveGraph(person, { workflowId, graph })).toMatchObject({ isNew: false });
    expect(await saveGraph(weak.ctx, { workflowId, graph })).toMatchObject({ isNew: false });
    expect((await runOf(schedule.id)).output).not.toBe(denied);
    expect((await runOf(ofParent.id)).output).not.toMatchObject({ call: { work: { text: denied } } });
  });

  it('is not widened by an edit of the graph with a stronger credential', async () => {
    const weak = await aHolder({ held: ['workflows:write'] });
    const workflowId = await agentWorkflow(weak.ctx);
    const schedule = await aSchedule(weak.ctx, workflowId);
    await saveGraph(person, { workflowId, graph: agentGraph(await anAgent()) });
    expect((await runOf(schedule.id)).output).toBe(denied);
    const taken = await takeOverSchedule(person, { scheduleId: schedule.id });
    expect(taken.authority).toMatchObject({ credentialKind: 'session', creditLimit: null, scopes });
    expect((await runOf(schedule.id)).output).not.toBe(denied);
  });

  it('counts against the credit limit of the editor of its graph, and is refused for two different limits', async () => {
    const editor = await aHolder({ limit: 1000 });
    const { id: workflowId } = await aWorkflow(editor.ctx, { graph: paidGraph() });
    expect(await runOf((await aSchedule(person, workflowId)).id)).toMatchObject({ status: 'succeeded' });
    expect((await readLimitUse(person, { id: editor.id, period: 'total' })).spent).toBeGreaterThan(0);
    expect(await runOf((await aSchedule(editor.ctx, workflowId)).id)).toMatchObject({ status: 'succeeded' });
    const other = await aHolder({ limit: 1000 });
    const refused = await tick((await aSchedule(other.ctx, workflowId)).id);
    expect(refused).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('different credit limits') });
  });

  it('has no more rights than a weaker credential that has changed the inputs of the schedule', async () => {
    const weak = await aHolder({ held: ['workflows:write'], limit: 5000 });
    const schedule = await aSchedule(person, await agentWorkflow(person));
    await updateSchedule(weak.ctx, { scheduleId: schedule.id, title: 'Renamed' });
    expect((await readableSchedule(person, schedule.id)).authority).toMatchObject({ scopes, creditLimit: null });
    await updateSchedule(weak.ctx, { scheduleId: schedule.id, inputs: { x: 1 } });
    const { authority } = await readableSchedule(person, schedule.id);
    expect(authority).toMatchObject({ scopes: ['workflows:read', 'workflows:write'], creditLimit: 5000 });
    expect((await runOf(schedule.id)).output).toBe(denied);
  });

  it('is retried by the platform with its own rights', async () => {
    const weak = await aHolder({ held: ['workflows:write'] });
    const { nodes } = agentGraph(await anAgent()) as { nodes: object[] };
    const wait = { id: 'wait', type: 'delay', settings: { seconds: 600 } };
    const edges = [{ from: 'wait', to: 'work' }];
    const { id: workflowId } = await aWorkflow(person, { graph: { nodes: [wait, ...nodes], edges } });
    const { runId } = (await tick((await aSchedule(weak.ctx, workflowId)).id)) ?? {};
    if (!runId) throw new Error('the tick started no run');
    await cancelRun(person, runId);
    await setup.ended(runId);
    const parts = { countRun: () => Promise.resolve(undefined), onFault: () => undefined };
    const platform = { ...person, actor: platformActor };
    const { retried } = await retryForAccounts(platform, [{ runId, accountId: person.actor.accountId }], parts);
    expect(retried).toBe(1);
    const [again] = await person.db.query<{ cause: object }[]>('select cause from runs where parent_run_id = $1', [
      runId,
    ]);
    expect(again?.cause).toMatchObject({ agentScopes: ['workflows:read', 'workflows:write'] });
  });
});

describe('a schedule of a token', () => {
  const empty = async (): Promise<string> => (await aWorkflow(person)).id;

  it('is suspended when the token is revoked, until it is taken over', async () => {
    const holder = await aHolder();
    const { id } = await aSchedule(holder.ctx, await empty());
    expect(await tick(id)).toMatchObject({ outcome: 'started' });
    await revokeToken(person, { tokenId: holder.id });
    expect(await readableSchedule(person, id)).toMatchObject({ suspendedReason: 'credential_revoked' });
    const before = await listScheduleTicks(person, { scheduleId: id, limit: 10 });
    await tick(id);
    expect(await listScheduleTicks(person, { scheduleId: id, limit: 10 })).toEqual(before);
    expect(await readableSchedule(person, id)).toMatchObject({ enabled: false, suspendedReason: 'credential_revoked' });
    await expect(updateSchedule(person, { scheduleId: id, enabled: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    const taken = await takeOverSchedule(person, { scheduleId: id });
    expect(taken).toMatchObject({ enabled: true, suspendedReason: null, nextAt: expect.any(String) });
    expect(await tick(id)).toMatchObject({ outcome: 'started' });
  });

  it('continues when the token expires, and when its connector gets a new token', async () => {
    const holder = await aHolder();
    const { id } = await aSchedule(holder.ctx, await empty());
    await setup.source.query(`update api_tokens set expires_at = now() where id = $1`, [holder.id]);
    expect(await tick(id)).toMatchObject({ outcome: 'started' });
    const connector = await createConnector(person, { name: 'CI', scopes: ['workflows:write'], days: 90 });
    const machine = await holderOf(connector.value, connector.id);
    const { id: ofMachine } = await aSchedule(machine.ctx, await empty());
    await rotateConnector(person, { connectorId: connector.id });
    expect(await tick(ofMachine)).toMatchObject({ outcome: 'started' });
  });

  it('starts nothing when its stored authority names no scopes', async () => {
    const { id } = await aSchedule(person, await empty());
    await setup.source.query(`update schedules set authority = authority - 'scopes' where id = $1`, [id]);
    const refused = await tick(id);
    expect(refused).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('workflows:write') });
  });
});
