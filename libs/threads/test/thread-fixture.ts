import type { CommunityRole } from '@lensforge/contracts';
import { type Context, noAccountId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { Membership } from '@lensforge/identity';
import { anAccount } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';

export interface ThreadFixture extends TestDatabase {
  /** A new person with a session. */
  aPerson(): Promise<Context>;
  /** A new community with these members; returns its id. */
  aCommunity(members: readonly (readonly [Context, CommunityRole])[]): Promise<string>;
  anonymous: Context;
  platform: Context;
}

export async function threadFixture(): Promise<ThreadFixture> {
  const database = await openTestDatabase();
  const { ctx } = database;
  return {
    ...database,
    aPerson: async () => aContext(ctx.db, { accountId: (await anAccount(ctx)).id, credential: 'session' }),
    aCommunity: async (members) => {
      const { id: communityId } = await anAccount(ctx, { kind: 'community' });
      for (const [{ actor }, role] of members) {
        await ctx.db.insert(Membership, { communityId, accountId: actor.accountId, role, createdAt: ctx.now() });
      }
      return communityId;
    },
    anonymous: aContext(ctx.db, { accountId: noAccountId, credential: 'anonymous', held: ['threads:read'] }),
    platform: { ...ctx, actor: platformActor },
  };
}

export const idOf = ({ actor }: Context): string => actor.accountId;

/** The same caller at another time. */
export const later = (ctx: Context, ms: number): Context => ({ ...ctx, now: () => new Date(Date.now() + ms) });

/** `done`, or the code of the error. */
export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (reason: unknown) => {
      if (reason instanceof Error && 'code' in reason) return String(reason.code);
      throw reason;
    },
  );
