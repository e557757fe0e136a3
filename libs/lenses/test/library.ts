import type { PlatformEventData } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { identityEntities } from '@lensforge/identity';
import { anAccount } from '@lensforge/identity/testing';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { lensEntities } from '../src/index.js';

export interface Library {
  source: DataSource;
  /** Of an account of its own each. */
  owner: Context;
  stranger: Context;
  anonymous: Context;
  platform: Context;
  somebody(): Promise<Context>;
  /** What the owner's subscribers were told since this was asked last, oldest first. */
  told(): Promise<PlatformEventData<'lens.published'>[]>;
  close(): Promise<void>;
}

export async function aLibrary(name: string): Promise<Library> {
  const database = await freshDatabase();
  const entities = [...identityEntities, ...lensEntities];
  const source = await openDatabase({ url: database.url, entities, applicationName: name });
  const nobody = aContext(source.manager);
  const somebody = async (): Promise<Context> => aContext(source.manager, { accountId: (await anAccount(nobody)).id });
  const owner = await somebody();
  await source.query(
    `insert into webhook_endpoints (id, account_id, url, events, secret) values ($1, $2, 'https://x.example', '{lens.published}', '')`,
    [newId(), owner.actor.accountId],
  );
  return {
    source,
    owner,
    somebody,
    stranger: await somebody(),
    anonymous: aContext(source.manager, { accountId: platformActor.accountId, credential: 'anonymous' }),
    platform: { ...nobody, actor: platformActor },
    told: async () => {
      const rows = await source.query<{ payload: { data: PlatformEventData<'lens.published'> } }[]>(
        'with taken as (delete from outbox returning id, payload) select payload from taken order by id',
      );
      return rows.map(({ payload }) => payload.data);
    },
    close: async () => {
      await source.destroy();
      await database.drop();
    },
  };
}

/** What a refused call was refused with. */
export const refusal = (call: Promise<unknown>): Promise<{ code: string; message: string; details?: unknown }> =>
  call.then(
    (value: unknown) => {
      throw new Error(`was not refused but answered ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason as { code: string; message: string },
  );
