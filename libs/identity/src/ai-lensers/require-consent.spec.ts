import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, DomainError } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { createAiLenser, requireConsent, updateAiLenser } from '../index.js';
import { actingAs, anAccount, anAiLenser } from '../testing.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const aPerson = async (): Promise<Context> => actingAs(database.ctx, (await anAccount(database.ctx)).id);
const outcome = (ctx: Context, id: string) =>
  requireConsent(ctx, id).then(
    () => 'allowed',
    (reason: unknown) => (reason instanceof DomainError ? `${reason.code}: ${reason.message}` : String(reason)),
  );

async function aCommunityOf(...members: Context[]): Promise<Context> {
  const { id } = await anAccount(database.ctx, { kind: 'community' });
  for (const { actor } of members) {
    await database.source.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'member')`, [
      id,
      actor.accountId,
    ]);
  }
  return actingAs(database.ctx, id);
}

describe('requireConsent', () => {
  it.each([
    ['nobody', ['allowed', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']],
    ['communities', ['allowed', 'allowed', 'allowed', 'FORBIDDEN']],
    ['anyone', ['allowed', 'allowed', 'allowed', 'allowed']],
  ] as const)('lets %s use an AI lenser besides its owner', async (usableBy, expected) => {
    const [owner, member, stranger] = [await aPerson(), await aPerson(), await aPerson()];
    const community = await aCommunityOf(owner, member);
    await aCommunityOf(stranger);
    const { id } = await anAiLenser(owner, { usableBy });
    const found: string[] = [];
    for (const ctx of [owner, member, community, stranger]) found.push((await outcome(ctx, id)).replace(/:.*/, ''));
    expect(found).toEqual(expected);
    for (const [index, ctx] of [owner, member, stranger].entries()) {
      const agent = actingAs(database.ctx, (await anAiLenser(ctx)).id);
      expect((await outcome(agent, id)).replace(/:.*/, '')).toBe(expected[index === 2 ? 3 : index]);
    }
  });

  it('names the reason, and follows a change of the setting', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()];
    const { id, handle, usableBy } = await createAiLenser(owner, { handle: `ai-${Date.now()}`, displayName: 'Critic' });
    expect(usableBy).toBe('communities');
    expect(await outcome(stranger, id)).toBe(
      `FORBIDDEN: The owner of the AI lenser ${handle} lets only members of their communities use it: join one of them, or ask the owner`,
    );
    expect(await updateAiLenser(owner, { aiLenserId: id, usableBy: 'anyone' })).toMatchObject({ usableBy: 'anyone' });
    expect(await outcome(stranger, id)).toBe('allowed');
    expect(await updateAiLenser(owner, { aiLenserId: id, bio: 'x' })).toMatchObject({ usableBy: 'anyone' });
    await updateAiLenser(owner, { aiLenserId: id, usableBy: 'nobody' });
    expect(await outcome(stranger, id)).toBe(
      `FORBIDDEN: The owner of the AI lenser ${handle} lets no other account use it`,
    );
  });
});
