import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type DelegationName,
  type DelegationOutcome,
  type DelegationSituation,
  ModelFile,
  type Scope,
  delegationSituations,
  delegations,
  parse,
} from '@lensforge/contracts';
import { type Context, platformActor } from '@lensforge/core';
import { grantTestCredits } from '@lensforge/credits/testing';
import { advanceEvaluationRules } from '@lensforge/evaluation';
import { claimSuspensionNotice, delegationKinds } from '@lensforge/identity';
import { announceProviders, importModels } from '@lensforge/models';
import { startScheduledRuns } from '@lensforge/runs';
import { actingAs } from '@lensforge/identity/testing';
import { fanOutEvent, aPlatformEvent } from '@lensforge/webhooks/testing';
import { aWorkflow, setNextTick } from '@lensforge/workflows/testing';
import { anAnsweredRun } from './an-answered-run.js';
import type { Answer } from './gateway.js';
import { outcome } from './callers.js';
import { type Person, type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_INCOMING_PER_MINUTE: '200' });
  const models = [
    {
      key: 'judge',
      provider: 'openai',
      capabilities: ['stream', 'json', 'sampling'],
      creditsPer1kInput: 1,
      creditsPer1kOutput: 1,
      maxOutputTokens: 500,
    },
  ];
  await importModels(gateway.ctx, parse(ModelFile, { models }).models);
  await announceProviders(gateway.ctx.db, ['openai']);
});
afterAll(() => gateway.stop());

type Caller = (method: string, path: string, body?: object) => Promise<Answer>;
interface Holder {
  id: string;
  call: Caller;
}

const as =
  (token: string): Caller =>
  (method, path, body) =>
    gateway.call(method, path, { token, ...(body && { body }) });
const session = (person: Person): Caller => as(gateway.sessionToken(person));
const dataOf = ({ status, body }: Answer): Record<string, unknown> => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data ?? {};
};

/** A developer token of a person. */
async function aHolder(person: Person, held: readonly Scope[], creditLimit?: number): Promise<Holder> {
  const request = { label: 'CI', ttl: 30, scopes: held.join(','), ...(creditLimit !== undefined && { creditLimit }) };
  const { id, value } = dataOf(await session(person)('POST', '/v1/tokens/developer', request));
  return { id: String(id), call: as(String(value)) };
}

const secretCall = (id: unknown, secret: unknown): Promise<Answer> =>
  gateway.call('POST', `/v1/webhooks/${String(id)}`, {
    token: '',
    body: { params: {} },
    headers: { 'x-webhook-secret': String(secret) },
  });
const causeOf = async (answer: Answer): Promise<Record<string, unknown>> => {
  const [run] = await gateway.ctx.db.query<{ cause: Record<string, unknown> }[]>(
    'select cause from runs where id = $1',
    [dataOf(answer)['runId']],
  );
  return run?.cause ?? {};
};

const agentGraph = { nodes: [{ id: 'a', type: 'agent', settings: { agent: 'x-agent', prompt: 'Work.' } }], edges: [] };
const workflowOf = async (accountId: string): Promise<string> =>
  (await aWorkflow(actingAs(gateway.ctx, accountId), { graph: agentGraph })).id;

describe('an incoming webhook', () => {
  let person: Person;
  let workflowId: string;
  beforeEach(async () => {
    person = await gateway.aPerson();
    workflowId = await workflowOf(person.accountId);
  });
  const made = async (call: Caller) =>
    dataOf(await call('POST', '/v1/incoming-webhooks', { workflowId, name: 'hook' }));

  it('starts runs with the scopes and the credit limit of the credential that made it', async () => {
    const weak = await aHolder(person, ['workflows:write'], 1);
    const hook = await made(weak.call);
    expect(hook['authority']).toEqual({
      accountId: person.accountId,
      handle: expect.any(String),
      credentialKind: 'developer',
      scopes: ['workflows:write'],
      creditLimit: 1,
    });
    const cause = await causeOf(await secretCall(hook['id'], hook['secret']));
    expect(cause).toMatchObject({
      agentScopes: ['workflows:read', 'workflows:write'],
      creditLimit: { credits: 1 },
      isDeferred: true,
    });
    const own = await made(session(person));
    const ofOwn = await causeOf(await secretCall(own['id'], own['secret']));
    expect(ofOwn['agentScopes']).toContain('lenses:write');
    expect(ofOwn).not.toHaveProperty('creditLimit');
  });

  it('answers 401 when the token that made it is revoked, and works again after a take-over, with the new secret', async () => {
    const holder = await aHolder(person, ['workflows:write']);
    const hook = await made(holder.call);
    expect((await secretCall(hook['id'], hook['secret'])).status).toBe(202);
    dataOf(await session(person)('DELETE', `/v1/tokens/${holder.id}`));
    expect((await secretCall(hook['id'], hook['secret'])).status).toBe(401);
    const path = `/v1/incoming-webhooks/${String(hook['id'])}`;
    expect(dataOf(await session(person)('GET', path))).toMatchObject({ suspendedReason: 'credential_revoked' });
    const taken = dataOf(await session(person)('POST', `${path}/take-over`));
    expect(taken).toMatchObject({ suspendedReason: null, authority: { credentialKind: 'session', creditLimit: null } });
    expect((await secretCall(hook['id'], hook['secret'])).status).toBe(401);
    expect((await secretCall(hook['id'], taken['secret'])).status).toBe(202);
  });

  it('gives a weaker credential no rights with the secret of a rotation, or with another workflow', async () => {
    const weak = await aHolder(person, ['workflows:write'], 5);
    for (const change of ['rotate', 'workflow']) {
      const hook = await made(session(person));
      const path = `/v1/incoming-webhooks/${String(hook['id'])}`;
      const changed =
        change === 'rotate'
          ? dataOf(await weak.call('POST', `${path}/rotate`, {}))
          : { ...dataOf(await weak.call('PATCH', path, { workflowId })), secret: hook['secret'] };
      const cause = await causeOf(await secretCall(hook['id'], changed.secret));
      expect(cause).toMatchObject({
        agentScopes: ['workflows:read', 'workflows:write'],
        creditLimit: { credits: 5 },
      });
    }
  });

  it('from before authorities were stored starts runs with the scopes of that time', async () => {
    const hook = await made(session(person));
    await gateway.ctx.db.query('update incoming_webhooks set authority = default, creator_id = default where id = $1', [
      hook['id'],
    ]);
    const cause = await causeOf(await secretCall(hook['id'], hook['secret']));
    expect(cause['agentScopes']).toEqual(['lenses:read', 'workflows:read', 'workflows:write']);
    const read = dataOf(await session(person)('GET', `/v1/incoming-webhooks/${String(hook['id'])}`));
    expect(read['authority']).toMatchObject({ accountId: null, handle: null, credentialKind: null, creditLimit: null });
  });

  it('is not found by a person outside of its account', async () => {
    const hook = await made(session(person));
    const stranger = session(await gateway.aPerson());
    expect(outcome(await stranger('POST', `/v1/incoming-webhooks/${String(hook['id'])}/take-over`))).toEqual([
      404,
      'not_found',
    ]);
  });
});

describe('what an administrator set up in a community', () => {
  let owner: Person;
  let admin: Person;
  let communityId: string;
  let workflowId: string;

  beforeEach(async () => {
    [owner, admin] = [await gateway.aPerson(), await gateway.aPerson()];
    const handle = `c-${owner.accountId.slice(-12)}`;
    communityId = String(
      dataOf(await session(owner)('POST', '/v1/communities', { handle, displayName: 'Ours' }))['id'],
    );
    await gateway.ctx.db.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'admin')`, [
      communityId,
      admin.accountId,
    ]);
    workflowId = (await aWorkflow(actingAs(gateway.ctx, communityId))).id;
  });

  const tokenOf = async (person: Person): Promise<Caller> => {
    const request = { communityId, label: 'CI', scopes: 'workflows:write', ttl: 30 };
    return as(String(dataOf(await session(person)('POST', '/v1/tokens', request))['value']));
  };
  const setUp = async (call: Caller) => ({
    hook: dataOf(await call('POST', '/v1/incoming-webhooks', { workflowId, name: 'hook' })),
    schedule: dataOf(
      await call('POST', `/v1/workflows/${workflowId}/schedules`, { cron: '0 0 1 1 *', overlap: 'allow' }),
    ),
    endpoint: dataOf(
      await call('POST', '/v1/webhook-endpoints', { url: 'https://x.example/hook', events: ['run.completed'] }),
    ),
  });
  type SetUp = Awaited<ReturnType<typeof setUp>>;

  const community = (): Context => actingAs(gateway.ctx, communityId);
  /** Runs that the schedule starts for a tick that is due now. */
  const runsOfTick = async ({ schedule }: SetUp): Promise<number> => {
    const count = async () =>
      Number(
        (
          await gateway.ctx.db.query<{ n: string }[]>(
            `select count(*) as n from runs where cause ->> 'scheduleId' = $1`,
            [schedule['id']],
          )
        )[0]?.n,
      );
    const before = await count();
    await gateway.ctx.db.query(`update schedules set next_at = null where id <> $1`, [schedule['id']]);
    const [{ enabled }] = await gateway.ctx.db.query<[{ enabled: boolean }]>(
      'select enabled from schedules where id = $1',
      [schedule['id']],
    );
    if (enabled) await setNextTick(community(), String(schedule['id']), new Date());
    const platform = { ...gateway.ctx, actor: platformActor };
    const unlimited = () => Promise.resolve(undefined);
    while (await startScheduledRuns(platform, { timeoutMs: 60_000, countRun: unlimited }));
    return (await count()) - before;
  };
  const deliveries = (): Promise<number> => fanOutEvent(community(), aPlatformEvent(communityId));

  it.each([
    ['is removed', 'creator_removed', 'DELETE', undefined],
    ['is demoted', 'creator_demoted', 'PATCH', { role: 'member' }],
  ] as const)(
    'is suspended when that person %s, and works again after a take-over',
    async (_, reason, method, body) => {
      const token = await tokenOf(admin);
      const before = await setUp(token);
      const { hook, schedule, endpoint } = before;
      expect((await secretCall(hook['id'], hook['secret'])).status).toBe(202);
      expect([await runsOfTick(before), await deliveries()]).toEqual([1, 1]);
      const ofOwner = await tokenOf(owner);
      const other = await setUp(ofOwner);

      dataOf(await session(owner)(method, `/v1/communities/${communityId}/members/${admin.accountId}`, body));
      expect((await token('GET', '/v1/incoming-webhooks')).status).toBe(401);
      expect(outcome(await secretCall(hook['id'], hook['secret']))).toEqual([401, 'unauthorized']);
      // What the owner set up stays: one of two endpoints receives the event.
      expect([await runsOfTick(before), await deliveries()]).toEqual([0, 1]);
      expect((await secretCall(other.hook['id'], other.hook['secret'])).status).toBe(202);

      const paths = {
        hook: `/v1/incoming-webhooks/${String(hook['id'])}`,
        schedule: `/v1/schedules/${String(schedule['id'])}`,
        endpoint: `/v1/webhook-endpoints/${String(endpoint['id'])}`,
      };
      for (const path of Object.values(paths)) {
        expect(dataOf(await ofOwner('GET', path))).toMatchObject({ suspendedReason: reason });
      }
      expect(outcome(await ofOwner('PATCH', paths.schedule, { enabled: true }))).toEqual([409, 'conflict']);
      expect(outcome(await ofOwner('POST', `${paths.endpoint}/enable`))).toEqual([409, 'conflict']);
      await ofOwner('PATCH', paths.hook, { enabled: true });
      expect((await secretCall(hook['id'], hook['secret'])).status).toBe(401);

      const notice = await claimSuspensionNotice(gateway.ctx);
      expect(notice).toMatchObject({ reason, emails: [`${owner.userId}@lensforge.test`] });
      expect(notice?.items.map(({ kind }) => kind)).toEqual(['incoming_webhook', 'schedule', 'webhook_endpoint']);
      await gateway.ctx.db.query('delete from suspension_notices');
      const audited = await gateway.ctx.db.query<object[]>(
        `select from audit_entries where account_id = $1 and action = 'delegation.suspended'`,
        [communityId],
      );
      expect(audited).toHaveLength(3);

      const taken = dataOf(await ofOwner('POST', `${paths.hook}/take-over`));
      dataOf(await ofOwner('POST', `${paths.schedule}/take-over`));
      const secret = dataOf(await ofOwner('POST', `${paths.endpoint}/take-over`))['secret'];
      expect(secret).not.toBe(endpoint['secret']);
      expect(taken).toMatchObject({ authority: { accountId: owner.accountId, credentialKind: 'organisation' } });
      expect((await secretCall(hook['id'], taken['secret'])).status).toBe(202);
      expect([await runsOfTick(before), await deliveries()]).toEqual([1, 2]);
    },
  );

  it('is suspended when that person closes the account', async () => {
    const { hook } = await setUp(await tokenOf(admin));
    const [{ handle }] = await gateway.ctx.db.query<[{ handle: string }]>('select handle from accounts where id = $1', [
      admin.accountId,
    ]);
    dataOf(await session(admin)('POST', '/v1/me/close', { handle }));
    expect((await secretCall(hook['id'], hook['secret'])).status).toBe(401);
  });

  it('is suspended with the first administrator who goes when its creator was not stored', async () => {
    const { hook } = await setUp(await tokenOf(owner));
    await gateway.ctx.db.query('update incoming_webhooks set creator_id = null where id = $1', [hook['id']]);
    const member = await gateway.aPerson();
    await gateway.ctx.db.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'member')`, [
      communityId,
      member.accountId,
    ]);
    dataOf(await session(owner)('DELETE', `/v1/communities/${communityId}/members/${member.accountId}`));
    expect((await secretCall(hook['id'], hook['secret'])).status).toBe(202);
    dataOf(await session(owner)('DELETE', `/v1/communities/${communityId}/members/${admin.accountId}`));
    expect((await secretCall(hook['id'], hook['secret'])).status).toBe(401);
  });
});

interface Made {
  refused: boolean;
  /** Lets it act; the cause of the run that it starts, or {} without one; undefined when it does nothing. */
  act: () => Promise<Record<string, unknown> | undefined>;
}
interface Place {
  accountId: string;
  workflowId: string;
  call: Caller;
}

const newestRun = async (scheduleId: unknown): Promise<{ id: string; cause: Record<string, unknown> } | undefined> =>
  (
    await gateway.ctx.db.query<{ id: string; cause: Record<string, unknown> }[]>(
      `select id, cause from runs where cause ->> 'scheduleId' = $1 order by id desc limit 1`,
      [scheduleId],
    )
  )[0];

/** How each kind is set up and acts. */
const cases: Record<DelegationName, (place: Place) => Promise<Made>> = {
  incoming_webhook: async ({ call, workflowId }) => {
    const hook = dataOf(await call('POST', '/v1/incoming-webhooks', { workflowId, name: 'hook' }));
    const act = async () => {
      const answer = await secretCall(hook['id'], hook['secret']);
      return answer.status === 401 ? undefined : causeOf(answer);
    };
    return { refused: false, act };
  },
  schedule: async ({ call, workflowId }) => {
    const rule = { cron: '0 0 1 1 *', overlap: 'allow' };
    const { id } = dataOf(await call('POST', `/v1/workflows/${workflowId}/schedules`, rule));
    const act = async () => {
      await gateway.ctx.db.query('update schedules set next_at = now() where id = $1 and enabled', [id]);
      const platform = { ...gateway.ctx, actor: platformActor };
      const unlimited = () => Promise.resolve(undefined);
      while (await startScheduledRuns(platform, { timeoutMs: 60_000, countRun: unlimited }));
      return (await newestRun(id))?.cause;
    };
    return { refused: false, act };
  },
  evaluation_rule: async ({ call, accountId }) => {
    const lens = {
      title: 'Judged',
      templateBody: 'Say something about [[Topic]], in a few words, to be judged later.',
    };
    const madeLens = await call('POST', '/v1/lenses', lens);
    if (madeLens.status === 403) return { refused: true, act: () => Promise.resolve(undefined) };
    const lensId = String(dataOf(madeLens)['id']);
    const rule = { kind: 'model', method: 'rubric', rubric: 'Is short.', model: 'judge' };
    const scorer = dataOf(await call('POST', '/v1/scorers', { name: 'short', rule }));
    const order = { name: 'short', lensId, scorers: [{ id: scorer['id'] }] };
    const answer = await call('POST', '/v1/evaluation-rules', order);
    const act = async () => {
      await grantTestCredits(gateway.ctx, accountId, 1000);
      await anAnsweredRun(gateway.ctx, { accountId, lensId });
      await gateway.ctx.db.query('update evaluation_rules set due_at = now()');
      const platform = { ...gateway.ctx, actor: platformActor };
      await advanceEvaluationRules(platform, { timeoutMs: 60_000, goesOn: () => true });
      const [judge] = await gateway.ctx.db.query<{ creditLimit: object | null }[]>(
        `select (select to_json(u) from credit_uses u where u.held > 0
                    and u.id::text = (select authority -> 'creditLimit' ->> 'id' from evaluation_rules where account_id = $2)) as "creditLimit"
           from runs where cause ->> 'scorerId' = $1`,
        [scorer['id'], accountId],
      );
      return judge && { ...(judge.creditLimit && { creditLimit: judge.creditLimit }) };
    };
    dataOf(answer);
    return { refused: false, act };
  },
  webhook_endpoint: async ({ call, accountId }) => {
    const request = { url: 'https://x.example/hook', events: ['run.completed'] };
    dataOf(await call('POST', '/v1/webhook-endpoints', request));
    const ctx = actingAs(gateway.ctx, accountId);
    const act = async () => ((await fanOutEvent(ctx, aPlatformEvent(accountId))) === 1 ? {} : undefined);
    return { refused: false, act };
  },
  connector: async ({ call }) => {
    const scopesOf = { name: 'CI', scopes: 'workflows:write,lenses:write', ttl: 90 };
    const answer = await call('POST', '/v1/connectors', scopesOf);
    const value = answer.status === 201 ? String(dataOf(answer)['value']) : '';
    const act = async () => ((await as(value)('GET', '/v1/workflows')).status === 200 ? {} : undefined);
    return { refused: answer.status === 403, act };
  },
};

describe('the table of what acts later', () => {
  const kinds = Object.keys(delegations) as DelegationName[];
  const situations = Object.keys(delegationSituations) as DelegationSituation[];
  const strong: readonly Scope[] = ['workflows:write', 'lenses:write', 'connectors:write'];

  /** Sets up one kind, lets the situation happen, and says what became of it. */
  async function observe(kind: DelegationName, situation: DelegationSituation): Promise<DelegationOutcome> {
    const person = await gateway.aPerson();
    if (situation === 'creatorRemoved' || situation === 'creatorDemoted') return observeRole(kind, situation, person);
    const held = situation === 'fewerScopes' ? strong.filter((scope) => scope !== 'lenses:write') : strong;
    const holder = await aHolder(person, held, situation === 'creditLimited' ? 5 : undefined);
    const { accountId } = person;
    const made = await cases[kind]({ accountId, workflowId: await workflowOf(accountId), call: holder.call });
    if (made.refused) return 'refused';
    if (situation === 'tokenRevoked') dataOf(await session(person)('DELETE', `/v1/tokens/${holder.id}`));
    if (situation === 'tokenExpired')
      await gateway.ctx.db.query('update api_tokens set expires_at = now() where id = $1', [holder.id]);
    const cause = await made.act();
    if (!cause) return 'stopped';
    if (cause['creditLimit']) return 'counted';
    const agentScopes = cause['agentScopes'] as Scope[] | undefined;
    return agentScopes && !agentScopes.includes('lenses:write') ? 'narrowed' : 'acts';
  }

  async function observeRole(
    kind: DelegationName,
    situation: 'creatorRemoved' | 'creatorDemoted',
    owner: Person,
  ): Promise<DelegationOutcome> {
    const admin = await gateway.aPerson();
    const handle = `t-${owner.accountId.slice(-12)}`;
    const { id } = dataOf(await session(owner)('POST', '/v1/communities', { handle, displayName: 'Ours' }));
    const communityId = String(id);
    await gateway.ctx.db.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'admin')`, [
      communityId,
      admin.accountId,
    ]);
    const request = { communityId, label: 'CI', scopes: strong.join(','), ttl: 30 };
    const call = as(String(dataOf(await session(admin)('POST', '/v1/tokens', request))['value']));
    const workflowId = await workflowOf(communityId);
    const { act } = await cases[kind]({ accountId: communityId, workflowId, call });
    const path = `/v1/communities/${communityId}/members/${admin.accountId}`;
    if (situation === 'creatorRemoved') dataOf(await session(owner)('DELETE', path));
    else dataOf(await session(owner)('PATCH', path, { role: 'member' }));
    return (await act()) ? 'acts' : 'stopped';
  }

  it.each(kinds.flatMap((kind) => situations.map((situation) => [kind, situation] as const)))(
    'is true for %s and %s',
    async (kind, situation) => {
      expect(await observe(kind, situation)).toBe(delegations[kind].outcomes[situation]);
    },
  );

  it('has every table whose rows store their creator', async () => {
    const rows = await gateway.ctx.db.query<{ name: string }[]>(
      `select table_name as name from information_schema.columns where column_name = 'creator_id' order by 1`,
    );
    const tables = Object.values(delegationKinds).map(({ table }) => table);
    expect(rows.map(({ name }) => name)).toEqual([...tables].sort());
  });
});
