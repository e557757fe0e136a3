import { battleEntities } from '@lensforge/battles';
import type { CommunityRole } from '@lensforge/contracts';
import { type Context, noAccountId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { Membership, identityEntities } from '@lensforge/identity';
import { anAccount } from '@lensforge/identity/testing';
import { lensEntities } from '@lensforge/lenses';
import { modelEntities } from '@lensforge/models';
import { runEntities } from '@lensforge/runs';
import { aContext } from '@lensforge/testing';
import { workflowEntities } from '@lensforge/workflows';

export interface ThreadFixture extends TestDatabase {
  /** A new person with a session. */
  aPerson(): Promise<Context>;
  /** A new community with these members; returns its id. */
  aCommunity(members: readonly (readonly [Context, CommunityRole])[]): Promise<string>;
  anonymous: Context;
  platform: Context;
}

export async function threadFixture(): Promise<ThreadFixture> {
  const entities = [
    ...identityEntities,
    ...lensEntities,
    ...modelEntities,
    ...workflowEntities,
    ...runEntities,
    ...battleEntities,
  ];
  const database = await openTestDatabase({ entities });
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
