import { type Context, DomainError } from '@lensforge/core';
import { aContext, freshDatabase, until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import {
  type ReplicaChange,
  inTransaction,
  openDatabase,
  perDatabase,
  readFromReplica,
  useReadReplica,
} from './index.js';

// A real streaming replica is in apps/e2e/src/stores/replica.journey.ts.
let url: string;
let source: DataSource;
let ctx: Context;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const fresh = await freshDatabase({ empty: true });
  ({ url } = fresh);
  source = await openDatabase({ url, applicationName: 'primary' });
  ctx = aContext(source.manager);
  closing.push(fresh.drop, () => source.destroy());
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const applicationOf = async ({ db }: Context): Promise<string> => {
  const [row] = await db.query<[{ name: string }]>(`select current_setting('application_name') as name`);
  return row.name;
};

const withReplica = async (replicaUrl: string, work: (changes: ReplicaChange[]) => Promise<void>): Promise<void> => {
  const changes: ReplicaChange[] = [];
  const close = useReadReplica(source, {
    url: replicaUrl,
    applicationName: 'replica',
    maxWaitMs: 50,
    onChange: (change) => changes.push(change),
  });
  try {
    await work(changes);
  } finally {
    await close();
  }
};

describe('readFromReplica', () => {
  it('reads from the primary when no replica is configured', async () => {
    await expect(readFromReplica(ctx, applicationOf)).resolves.toBe('primary');
  });

  it('reads from the primary when the address leads to no streaming replica, and says so once', async () => {
    await withReplica(url, async (changes) => {
      await until(async () => {
        await expect(readFromReplica(ctx, applicationOf)).resolves.toBe('primary');
        return changes.length > 0;
      });
      for (let n = 0; n < 20; n += 1) await readFromReplica(ctx, applicationOf);
      expect(changes).toEqual([{ used: false, why: 'does not answer (it is no streaming replica)' }]);
    });
  });

  it('reads from the primary while the replica cannot be reached', async () => {
    await withReplica('postgres://u:p@127.0.0.1:1/x', async (changes) => {
      await expect(readFromReplica(ctx, applicationOf)).resolves.toBe('primary');
      await until(() => changes.length > 0);
      expect(changes).toEqual([{ used: false, why: expect.stringContaining('cannot be opened') }]);
    });
  });

  it('stays within a transaction', async () => {
    await withReplica(url, async () => {
      await inTransaction(ctx, async (ctx) => {
        await ctx.db.query('create table written (id integer)');
        await expect(readFromReplica(ctx, ({ db }) => db.query('select * from written'))).resolves.toEqual([]);
      });
    });
  });

  it('passes refusals on', async () => {
    const refusal = new DomainError('NOT_FOUND', 'There is none');
    await expect(readFromReplica(ctx, () => Promise.reject(refusal))).rejects.toBe(refusal);
  });
});

it('uses the objects of the primary at a replica', async () => {
  const replica = await openDatabase({ url, applicationName: 'replica', replicaOf: source });
  closing.push(() => replica.destroy());
  const names = perDatabase((db) => db);
  expect(names.of({ db: replica.manager })).toBe(source.manager);
});
