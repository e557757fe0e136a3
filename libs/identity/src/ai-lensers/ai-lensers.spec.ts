import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, newId, noAccountId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  archiveAiLenser,
  chooseHandle,
  createAiLenser,
  createUser,
  limitAiLensers,
  listAiLensers,
  ownedAiLenser,
  readableAiLenser,
  updateAiLenser,
} from '../index.js';
import { actingAs, anAccount, anAiLenser } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let platform: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  platform = { ...aContext(source.manager), actor: platformActor };
});
afterAll(() => database.close());

const aPersonCtx = async (): Promise<Context> => actingAs(platform, (await anAccount(platform)).id);
const aName = () => ({ handle: `ai-${newId()}`, displayName: 'Critic' });
const secrets = {
  instructions: 'Answer in one sentence.',
  policy: { actions: { run_lens: 'allow', cast_vote: 'ask' }, creditsPerDay: 100, runsPerDay: null },
} as const;

/** Inserts a model; with a key it is one of the endpoint of that key. */
async function aModel(more: { byokOf?: string; enabled?: boolean } = {}): Promise<string> {
  const key = `model-${newId()}`;
  const keyId = more.byokOf === undefined ? null : newId();
  if (keyId !== null) {
    await source.query(
      `insert into byok_key_pairs (version, public_key, private_key) values (1, decode(repeat('00', 32), 'hex'), '')
       on conflict do nothing`,
    );
    await source.query(
      `insert into byok_keys (id, account_id, provider, label, last4, base_url, key_pair, data_key, secret)
       values ($1, $2, 'openai-compatible', 'mine', 'abcd', 'https://models.example', 1, '', '')`,
      [keyId, more.byokOf],
    );
  }
  await source.query(
    `insert into models (id, provider_key, key, display_name, enabled, byok_key_id)
     values ($1, 'openai-compatible', $2, 'x', $3, $4)`,
    [newId(), key, keyId === null && (more.enabled ?? true), keyId],
  );
  return key;
}

describe('createAiLenser', () => {
  it('creates a profile whose instructions and policy only its owner and the platform can read', async () => {
    const owner = await aPersonCtx();
    const made = await createAiLenser(owner, { ...aName(), bio: 'Judges prose.', aiModelKey: 'echo', ...secrets });
    expect(made).toMatchObject({
      kind: 'ai',
      displayName: 'Critic',
      bio: 'Judges prose.',
      aiModelKey: 'echo',
      owner: { id: owner.actor.accountId },
      status: 'active',
      ...secrets,
    });
    expect(await readableAiLenser(owner, made.id)).toEqual(made);
    expect(await readableAiLenser(platform, made.id)).toEqual(made);
    const { instructions: _, policy: __, ...profile } = made;
    expect(await readableAiLenser(await aPersonCtx(), made.id)).toEqual(profile);
    const anonymous = aContext(source.manager, { credential: 'anonymous', accountId: noAccountId });
    expect(await readableAiLenser(anonymous, made.id)).toEqual(profile);
  });

  it('denies every action, and has the default model and no caps, unless told otherwise', async () => {
    const made = await createAiLenser(await aPersonCtx(), aName());
    expect(made).toMatchObject({
      aiModelKey: null,
      instructions: '',
      policy: { actions: {}, creditsPerDay: null, runsPerDay: null },
    });
  });

  it('refuses a handle that a lenser has or had, and reserves it from people', async () => {
    const owner = await aPersonCtx();
    const { id, handle } = await anAiLenser(owner);
    await archiveAiLenser(owner, id);
    const conflict = { code: 'CONFLICT', message: expect.stringContaining(handle) };
    await expect(createAiLenser(owner, { ...aName(), handle })).rejects.toMatchObject(conflict);
    const user = await createUser(platform, { email: `${newId()}@example.org`, password: `cheese & bread ${newId()}` });
    await expect(chooseHandle(platform, { userId: user.id, handle })).rejects.toMatchObject(conflict);
  });

  it.each(['ab', 'Ada', 'a b c', 'x'.repeat(65)])('refuses the handle %s', async (handle) => {
    const creating = createAiLenser(await aPersonCtx(), { ...aName(), handle });
    await expect(creating).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  it('refuses a community as the owner', async () => {
    const { id } = await anAccount(platform, { kind: 'community' });
    await expect(createAiLenser(actingAs(platform, id), aName())).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('refuses an AI lenser as the owner', async () => {
    const { id } = await anAiLenser(await aPersonCtx());
    await expect(createAiLenser(actingAs(platform, id), aName())).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('accepts models of the catalogue and of endpoints of the owner, and no others', async () => {
    const owner = await aPersonCtx();
    const { accountId } = owner.actor;
    const own = await aModel({ byokOf: accountId });
    for (const aiModelKey of ['echo', 'offline/echo', own, await aModel()]) {
      expect(await createAiLenser(await emptied(owner), { ...aName(), aiModelKey })).toMatchObject({
        aiModelKey,
      });
    }
    const stranger = await aPersonCtx();
    for (const aiModelKey of ['no-such-model', own, await aModel({ enabled: false })]) {
      await expect(createAiLenser(stranger, { ...aName(), aiModelKey })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        details: { issues: [{ path: 'aiModelKey' }] },
      });
    }
    await source.query(
      `update byok_keys set revoked_at = now(), key_pair = null, data_key = null, secret = null where account_id = $1`,
      [accountId],
    );
    const again = await emptied(owner);
    await expect(createAiLenser(again, { ...aName(), aiModelKey: own })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  /** Archives the AI lensers of the owner, so that the limit does not matter. */
  async function emptied(owner: Context): Promise<Context> {
    for (const { id } of (await listAiLensers(owner, { owner: owner.actor.accountId })).items) {
      await archiveAiLenser(owner, id);
    }
    return owner;
  }

  it('allows five active AI lensers for each owner, also under concurrent calls', async () => {
    const owner = await aPersonCtx();
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => createAiLenser(owner, aName())));
    const made = outcomes.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? (each.reason as object) : []));
    expect([made.length, refused.length]).toEqual([5, 7]);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'THROTTLED', details: { limit: 5 } });
    await archiveAiLenser(owner, made[0]?.id ?? '');
    await createAiLenser(owner, aName());
    await expect(createAiLenser(owner, aName())).rejects.toMatchObject({ code: 'THROTTLED' });
    await expect(createAiLenser(await aPersonCtx(), aName())).resolves.toBeDefined();
  });

  it('allows as many as the setting says', async () => {
    limitAiLensers(source, 1);
    try {
      const owner = await aPersonCtx();
      await createAiLenser(owner, aName());
      await expect(createAiLenser(owner, aName())).rejects.toMatchObject({ code: 'THROTTLED', details: { limit: 1 } });
    } finally {
      limitAiLensers(source, 5);
    }
  });
});

describe('updateAiLenser', () => {
  it('changes the given members only', async () => {
    const owner = await aPersonCtx();
    const { id: aiLenserId, ...before } = await anAiLenser(owner, { bio: 'Old.', aiModelKey: 'echo', ...secrets });
    expect(await updateAiLenser(owner, { aiLenserId, bio: 'New.', displayName: ' Judge ' })).toMatchObject({
      ...before,
      bio: 'New.',
      displayName: 'Judge',
      updatedAt: expect.any(String),
    });
    const policy = { actions: { create_battle: 'deny' }, creditsPerDay: null, runsPerDay: 3 } as const;
    const changed = await updateAiLenser(owner, { aiLenserId, aiModelKey: null, instructions: '', policy });
    expect(changed).toMatchObject({ aiModelKey: null, instructions: '', bio: 'New.' });
    expect(changed.policy).toEqual(policy);
  });

  it('refuses strangers, archived AI lensers, unknown models and an empty change', async () => {
    const owner = await aPersonCtx();
    const { id: aiLenserId } = await anAiLenser(owner);
    const change = { aiLenserId, bio: 'Mine now.' };
    await expect(updateAiLenser(await aPersonCtx(), change)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(updateAiLenser(owner, { aiLenserId })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    const unknown = updateAiLenser(owner, { aiLenserId, aiModelKey: 'no-such-model' });
    await expect(unknown).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(updateAiLenser(owner, { ...change, aiLenserId: newId() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await archiveAiLenser(owner, aiLenserId);
    const details = { status: 'archived' };
    await expect(updateAiLenser(owner, change)).rejects.toMatchObject({ code: 'CONFLICT', details });
  });
});

describe('archiveAiLenser', () => {
  it('archives once, by the owner or the platform, and stays readable', async () => {
    const owner = await aPersonCtx();
    const { id } = await anAiLenser(owner);
    await expect(archiveAiLenser(await aPersonCtx(), id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const archived = await archiveAiLenser(platform, id);
    expect(archived.status).toBe('archived');
    expect(await archiveAiLenser(owner, id)).toEqual(archived);
    expect(await readableAiLenser(await aPersonCtx(), id)).toMatchObject({ status: 'archived' });
  });
});

it('ownedAiLenser returns an AI lenser to its owner and the platform, and refuses others', async () => {
  const owner = await aPersonCtx();
  const { id } = await anAiLenser(owner, secrets);
  expect(await ownedAiLenser(owner, id)).toMatchObject({ id, ...secrets });
  expect(await ownedAiLenser(platform, id)).toMatchObject({ id });
  await expect(ownedAiLenser(await aPersonCtx(), id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(ownedAiLenser(owner, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('AI lensers of a disabled owner are not found', async () => {
  const owner = await aPersonCtx();
  const { id } = await anAiLenser(owner);
  await source.query('update accounts set disabled_at = now() where id = $1', [owner.actor.accountId]);
  await expect(readableAiLenser(platform, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await listAiLensers(platform, { owner: owner.actor.accountId })).toMatchObject({ total: 0, items: [] });
});

it('the audit log of the owner has each change once', async () => {
  const owner = await aPersonCtx();
  const { id, handle } = await createAiLenser(owner, aName());
  await updateAiLenser(owner, { aiLenserId: id, instructions: 'Be kind.', bio: 'Kind.' });
  for (let tries = 0; tries < 2; tries += 1) await archiveAiLenser(owner, id);
  const { items } = await listAudit(owner, { accountId: owner.actor.accountId, limit: 10 });
  const target = { kind: 'ai_lenser', id };
  expect(items.map(({ action, target, details }) => ({ action, target, details })).reverse()).toEqual([
    { action: 'ai_lenser.created', target, details: { handle } },
    { action: 'ai_lenser.updated', target, details: { members: ['instructions', 'bio'] } },
    { action: 'ai_lenser.archived', target, details: { handle } },
  ]);
});

describe('listAiLensers', () => {
  it('lists those of an owner, newest first, by status, without instructions and policy', async () => {
    const owner = await aPersonCtx();
    const made = [await anAiLenser(owner), await anAiLenser(owner, secrets), await anAiLenser(owner)];
    const archived = await anAiLenser(owner, { archived: true });
    const byOwner = { owner: owner.actor.accountId };
    const all = await listAiLensers(await aPersonCtx(), byOwner);
    expect(all.items.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
    expect(all).toMatchObject({ total: 3, hasMore: false });
    expect(JSON.stringify(await listAiLensers(owner, byOwner))).not.toContain(secrets.instructions);
    const page = await listAiLensers(owner, { ...byOwner, limit: 1, offset: 1 });
    expect(page).toMatchObject({ items: [{ id: made[1]?.id }], total: 3, limit: 1, offset: 1, hasMore: true });
    const others = await listAiLensers(owner, { ...byOwner, status: 'archived' });
    expect(others.items.map(({ id, status }) => [id, status])).toEqual([[archived.id, 'archived']]);
  });

  it('finds text in handles and names literally', async () => {
    const owner = await aPersonCtx();
    const word = `w${newId()}`;
    const byHandle = await anAiLenser(owner, { handle: `x_${word}` });
    const byName = await anAiLenser(owner, { displayName: `The ${word.toUpperCase()}` });
    const found = async (q: string) => (await listAiLensers(platform, { q })).items.map(({ id }) => id);
    expect(await found(word)).toEqual([byName.id, byHandle.id]);
    expect(await found(`_${word}`)).toEqual([byHandle.id]);
    expect(await found(`%${word}`)).toEqual([]);
  });
});
