import { randomBytes } from 'node:crypto';
import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { grantCredits } from '@lensforge/credits';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { anAccount } from '@lensforge/identity/testing';
import { aRun } from '@lensforge/runs/testing';
import { freshDatabase, freshRedisPrefix, testRedisUrl } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkClock } from '../src/doctor/check-clocks.js';
import { operate } from '../src/operate.js';

const masterKey = randomBytes(32).toString('base64');
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function anOwner(): Promise<Context> {
  const { id: accountId } = await anAccount(database.ctx);
  return { ...database.ctx, actor: { ...database.ctx.actor, accountId } };
}

async function doctor(more: Record<string, string | undefined> = {}) {
  const output: string[] = [];
  const code = await operate(['doctor'], {
    environment: {
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: freshRedisPrefix(),
      LENSFORGE_MASTER_KEY: masterKey,
      ...more,
    },
    print: (line) => output.push(line),
    printError: (line) => output.push(line),
  });
  const linesOf = (level: string) => output.filter((line) => line.startsWith(level));
  return { code, text: output.join('\n'), faults: linesOf('fault'), last: output.at(-1) };
}

describe('doctor', () => {
  it('finds no fault in a new platform, names the versions, and records no key', async () => {
    const { code, text, last } = await doctor();
    expect({ code, last }).toEqual({ code: 0, last: expect.stringMatching(/^0 faults, \d+ warnings$/) });
    for (const line of [/program: Lensforge \d/, /PostgreSQL: version 1\d/, /schema: version \d+/, /ok {7}ledger: /])
      expect(text).toMatch(line);
    expect(text).toMatch(/ok {7}queue: 0 queued runs have their jobs/);
    expect(await database.source.query('select from master_key_fingerprints')).toEqual([]);
  });

  it('warns of a read replica that is not used', async () => {
    const other = await doctor({ DATABASE_REPLICA_URL: database.url });
    expect(other.text).toContain('read replica: DATABASE_REPLICA_URL leads to no streaming replica');
    const away = await doctor({ DATABASE_REPLICA_URL: 'postgres://u:hidden-phrase@127.0.0.1:1/x' });
    expect(away.text).toMatch(/read replica: cannot be queried at 127.0.0.1:1\/x: .*Reads go to the primary/);
    expect(away.text).not.toContain('hidden-phrase');
    expect([other.code, away.code]).toEqual([0, 0]);
  });

  it('reports invalid settings and what they should be', async () => {
    const { code, faults, text } = await doctor({ DATABASE_URL: 'mysql://x', LENSFORGE_BACKLOG_PER_ACCOUNT: 'many' });
    expect({ code, faults: faults.length }).toEqual({ code: 1, faults: 1 });
    expect(text).toContain('LENSFORGE_BACKLOG_PER_ACCOUNT is "many"');
    expect(text).toContain('DATABASE_URL is not usable');
    expect(await doctor({ LENSFORGE_MASTERKEY: 'x' })).toMatchObject({
      text: expect.stringContaining('did you mean LENSFORGE_MASTER_KEY?'),
    });
  });

  it('reports stores that do not answer, without their passwords', async () => {
    const away = { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none', REDIS_URL: 'redis://:secret@127.0.0.1:1' };
    const { code, faults, text } = await doctor(away);
    expect({ code, faults }).toEqual({
      code: 1,
      faults: [
        expect.stringContaining('Redis: does not answer at 127.0.0.1:1'),
        expect.stringContaining('PostgreSQL: cannot be opened at 127.0.0.1:1/none'),
      ],
    });
    expect(text).not.toContain('secret');
    expect(await doctor({ REDIS_URL: undefined })).toMatchObject({
      code: 1,
      faults: [expect.stringContaining('REDIS_URL is not set')],
    });
  });

  it('reports a schema that lacks migrations', async () => {
    const empty = await freshDatabase({ empty: true });
    const { code, faults } = await doctor({ DATABASE_URL: empty.url });
    await empty.drop();
    expect({ code, faults }).toEqual({ code: 1, faults: [expect.stringContaining('Run "lensforge-operate migrate"')] });
  });

  it('reports a master key of another database', async () => {
    await database.source.query(
      `insert into master_key_fingerprints (setting, version, fingerprint, recorded_by) values ('LENSFORGE_MASTER_KEY', 1, $1, 'oauth')`,
      [randomBytes(8)],
    );
    const { code, faults, text } = await doctor();
    expect({ code, faults }).toEqual({
      code: 1,
      faults: [expect.stringContaining('is not the key that oauth recorded')],
    });
    expect(text).not.toContain(masterKey);
    expect(await doctor({ LENSFORGE_MASTER_KEY: 'short' })).toMatchObject({ code: 1 });
    await database.source.query('delete from master_key_fingerprints');
  });

  it('reports queued runs without a job in Redis, but none whose job is in the outbox', async () => {
    const run = await aRun(await anOwner());
    await database.source.query(`update runs set queued_at = now() - interval '1 minute' where id = $1`, [run.runId]);
    const text = 'ok       queue: 1 queued runs have their jobs';
    expect((await doctor()).text).toContain(text);
    await database.source.query('delete from outbox');
    expect(await doctor()).toMatchObject({
      code: 1,
      faults: ['fault    queue: 1 of 1 queued runs have no job in Redis: run "lensforge-operate rebuild-queue"'],
    });
    await database.source.query('delete from runs');
  });

  it('reports a balance that its entries contradict, and unsigned entries of the audit log', async () => {
    const { id: accountId } = await anAccount(database.ctx);
    await grantCredits(database.ctx, { accountId, amount: 10 });
    await database.source.query('update credit_accounts set available = 11 where account_id = $1', [accountId]);
    expect(await doctor()).toMatchObject({ code: 1, faults: [expect.stringContaining(`${accountId}: the balance`)] });
    await database.source.query('update credit_accounts set available = 10 where account_id = $1', [accountId]);
    const long = { ...database.ctx, now: () => new Date(Date.now() - 5 * 3_600_000) };
    await recordAudit(long, { accountId, action: 'token.created' });
    expect(await doctor()).toMatchObject({
      code: 1,
      faults: [expect.stringContaining('audit log: has entries of 5 hours')],
    });
  });
});

describe('checkClock', () => {
  it.each([
    [900, 'ok', 'within a second'],
    [-3000, 'warning', '3.0 s behind this machine'],
    [6000, 'fault', '6.0 s ahead of this machine'],
  ])('rates a difference of %d ms as %s', (difference, level, text) => {
    const finding = checkClock('PostgreSQL', { there: 1_000_000 + difference, here: 1_000_000 });
    expect(finding).toMatchObject({ level, about: 'clock of PostgreSQL', text: expect.stringContaining(text) });
  });
});
