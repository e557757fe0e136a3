import type { PlatformEventData } from '@lensforge/contracts';
import { type Context, newId, platformActor } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import { anAccount } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';

export interface LensFixture {
  source: DataSource;
  /** Contexts of different accounts. */
  owner: Context;
  stranger: Context;
  anonymous: Context;
  platform: Context;
  newAccount(): Promise<Context>;
  /** Events for the owner's subscribers since the last call, oldest first. */
  takeEvents(): Promise<PlatformEventData<'lens.published'>[]>;
  close(): Promise<void>;
}

export async function lensFixture(): Promise<LensFixture> {
  const { source, ctx: noAccount, close } = await openTestDatabase();
  const newAccount = async (): Promise<Context> =>
    aContext(source.manager, { accountId: (await anAccount(noAccount)).id });
  const owner = await newAccount();
  await source.query(
    `insert into webhook_endpoints (id, account_id, url, events, secret) values ($1, $2, 'https://x.example', '{lens.published}', '')`,
    [newId(), owner.actor.accountId],
  );
  return {
    source,
    owner,
    newAccount,
    stranger: await newAccount(),
    anonymous: aContext(source.manager, { accountId: platformActor.accountId, credential: 'anonymous' }),
    platform: { ...noAccount, actor: platformActor },
    takeEvents: async () => {
      const rows = await source.query<{ payload: { data: PlatformEventData<'lens.published'> } }[]>(
        'with taken as (delete from outbox returning id, payload) select payload from taken order by id',
      );
      return rows.map(({ payload }) => payload.data);
    },
    close,
  };
}

/** The error of a call that must fail. */
export const refusal = (call: Promise<unknown>): Promise<{ code: string; message: string; details?: unknown }> =>
  call.then(
    (value: unknown) => {
      throw new Error(`expected a refusal, got ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason as { code: string; message: string },
  );
