import { type Context, noAccountId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { anAccount } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';

export interface BattleFixture extends TestDatabase {
  /** A new person. */
  aPerson(): Promise<Context>;
  anonymous: Context;
  platform: Context;
}

export async function battleFixture(): Promise<BattleFixture> {
  const database = await openTestDatabase();
  const { ctx } = database;
  return {
    ...database,
    aPerson: async () => aContext(ctx.db, { accountId: (await anAccount(ctx)).id }),
    anonymous: aContext(ctx.db, { accountId: noAccountId, credential: 'anonymous' }),
    platform: { ...ctx, actor: platformActor },
  };
}

/** The error of a call that must fail. */
export const refusal = (
  call: Promise<unknown>,
): Promise<{ code: string; message: string; details?: { issues?: { path: string }[] } }> =>
  call.then(
    (value: unknown) => {
      throw new Error(`expected a refusal, got ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason as { code: string; message: string },
  );

export const codeOf = async (call: Promise<unknown>): Promise<string> => (await refusal(call)).code;

/** The result of a call, or the code of its error. */
export const outcomeOf = (call: Promise<string>): Promise<string> =>
  call.catch((reason: unknown) => (reason as { code: string }).code);

/** The paths of the issues of a call that must fail with BAD_INPUT. */
export async function faultsOf(call: Promise<unknown>): Promise<string[] | undefined> {
  const { code, details } = await refusal(call);
  return code === 'BAD_INPUT' ? details?.issues?.map(({ path }) => path) : [code];
}
