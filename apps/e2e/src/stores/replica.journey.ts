import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@lensforge/database';
import type { DataSource } from 'typeorm';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothingFound } from '../audit.js';
import { TestPlatform, atRate, countBy } from '../test-platform.js';
import { loadDuring } from './load.js';
import { type PostgresPair, installedPostgres, startPair } from './postgres-pair.js';
import { temporaryFolder } from './programs.js';

const describeInstalled = installedPostgres() === undefined ? describe.skip : describe;
if (installedPostgres() === undefined) process.stderr.write('skipped, as no PostgreSQL is installed: read replica\n');

describeInstalled('a read replica', () => {
  const folder = temporaryFolder();
  let pair: PostgresPair;
  let setup: TestPlatform;
  let standby: DataSource;
  let replicaUrl: string;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    pair = await startPair(folder);
    closing.push(
      () => folder.remove(),
      () => pair.primary.stop(),
      () => pair.standby.stop(),
    );
    const url = new URL(pair.primary.url);
    url.port = `${pair.standbyPort}`;
    replicaUrl = url.href;
    setup = await TestPlatform.open({
      allInOne: true,
      databaseUrl: pair.primary.url,
      environment: { DATABASE_REPLICA_URL: replicaUrl },
    });
    closing.push(() => setup.close());
    standby = await openDatabase({ url: replicaUrl, applicationName: 'journey' });
    closing.push(() => standby.destroy());
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const readsBy = async (server: 'replica' | 'primary'): Promise<number> => {
    const text = await (await fetch(`${setup.platform.urlOf('api-gateway')}/metrics`)).text();
    const line = new RegExp(`^lensforge_replica_reads_total\\{.*answered_by="${server}".*\\} (\\d+)$`, 'm').exec(text);
    return Number(line?.[1] ?? 0);
  };

  const untilReplicaAnswers = async (): Promise<void> => {
    const before = await readsBy('replica');
    const answers = async (): Promise<boolean> => {
      await setup.call('GET', '/v1/lenses');
      return (await readsBy('replica')) > before;
    };
    await until(answers, { what: 'an answer of the replica' });
  };

  const doctor = (): string => {
    const { databaseUrl, redisUrl } = setup.platform;
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATABASE_REPLICA_URL: replicaUrl };
    return spawnSync(process.execPath, ['bundle/lensforge-operate.js', 'doctor'], {
      cwd: join(import.meta.dirname, '..', '..', '..', '..'),
      env: environment,
      encoding: 'utf8',
    }).stdout;
  };

  /** Creates a lens, and looks for it in the list right away. */
  const createAndList = async (n: number): Promise<string> => {
    const title = `Replica ${n} ${performance.now()}`;
    const created = await setup.call('POST', '/v1/lenses', {
      body: { title, templateBody: 'Tell [[Name]] about the journey in a few words, and no more than that.' },
    });
    if (created.status !== 201) return `create: ${created.status} ${created.body.error?.message}`;
    const listed = await setup.call('GET', '/v1/lenses?limit=50');
    if (listed.status !== 200) return `list: ${listed.status} ${listed.body.error?.message}`;
    const titles = (listed.body.data as unknown as { title: string }[]).map((lens) => lens.title);
    return titles.includes(title) ? 'found' : 'missing';
  };
  const createWhile = async (fault: () => Promise<void>): Promise<Record<string, number>> => {
    const load = atRate(10, createAndList);
    await fault();
    return countBy(await load.stop());
  };

  it('answers lists and streams, and shows a reader every write of its own', async () => {
    await untilReplicaAnswers();
    await loadDuring(setup, async () => {
      expect(Object.keys(await createWhile(() => pause(3000)))).toEqual(['found']);
    });
    expect(await readsBy('replica')).toBeGreaterThan(20);
    expect(doctor()).toMatch(/read replica: is \d+ bytes behind/);
  });

  it('is not read while it is behind', async () => {
    await standby.query('select pg_wal_replay_pause()');
    await loadDuring(setup, async () => {
      expect(Object.keys(await createWhile(() => pause(3000)))).toEqual(['found']);
    });
    await standby.query('select pg_wal_replay_resume()');
    await untilReplicaAnswers();
  });

  it('can be lost: the primary answers, with one line in the log', async () => {
    const outcomes = await createWhile(async () => {
      await pause(500);
      process.kill(pair.standby.pid, 'SIGKILL');
      await pause(3000);
    });
    expect(Object.keys(outcomes)).toEqual(['found']);
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
    const lines = setup.platform.recentLines.filter((line) => line.includes('its reads go to the primary'));
    expect(lines).toHaveLength(1);
  });
});
