import { setTimeout as pause } from 'node:timers/promises';
import { ledgerFaults } from '@lensforge/credits';
import { newestSchema, openDatabase } from '@lensforge/database';
import { readEvents, until } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audit, nothingFound } from './audit.js';
import { atRate, countBy } from './test-platform.js';
import { TwoReleases, lastRelease, services, thisRelease } from './two-releases.js';

const from = process.env['LENSFORGE_FAULTS_FROM'] ?? lastRelease();
const describeUpgrade = from === undefined ? describe.skip : describe;
if (from === undefined) process.stderr.write('skipped, as there is no tag: rolling upgrade (name a release: --from)\n');

const perSecond = 10;

describeUpgrade('a rolling upgrade under load', () => {
  let setup: TwoReleases;
  let db: DataSource;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    setup = await TwoReleases.open(from as string);
    closing.push(() => setup.close());
    db = await openDatabase({ url: setup.databaseUrl, applicationName: 'upgrade', timeoutFactor: 5 });
    closing.push(() => db.destroy());
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  /** A load balancer: the gateways whose last readiness check succeeded. */
  const ready = [true, true];
  let turn = 0;
  const gateway = (): string => {
    turn += 1;
    return setup.urlOf('api-gateway', ready[turn % 2] ? turn % 2 : (turn + 1) % 2);
  };
  const watchGateways = (): (() => void) => {
    let over = false;
    const watch = async (index: number): Promise<void> => {
      while (!over) {
        ready[index] = await setup.isReady('api-gateway', index);
        await pause(100);
      }
    };
    void watch(0);
    void watch(1);
    return () => (over = true);
  };

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${setup.demo.tokens['developer']}` });
  const started: string[] = [];
  const streams: Promise<number[]>[] = [];

  const execute = async (script: object): Promise<number> => {
    const params = { Product: 'Lensforge', Audience: `you\n@offline ${JSON.stringify(script)}\n`, Tone: 'plain' };
    const answer = await fetch(`${gateway()}/v1/lenses/${setup.demo.lensId}/execute`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ params }),
      signal: AbortSignal.timeout(20_000),
    });
    const { data } = (await answer.json()) as { data?: { runId: string } };
    if (data) started.push(data.runId);
    return answer.status;
  };
  const list = async (): Promise<number> => {
    const signal = AbortSignal.timeout(20_000);
    const answer = await fetch(`${gateway()}/v1/runs?limit=5`, { headers: headers(), signal });
    await answer.arrayBuffer();
    return answer.status;
  };

  /** The sequence numbers of a run's events; the stream is resumed when its gateway is replaced. */
  const follow = async (runId: string): Promise<number[]> => {
    const ids: number[] = [];
    for (let tries = 0; tries < 200; tries += 1) {
      const last = ids.at(-1);
      const resume = last === undefined ? {} : { lastEventId: String(last) };
      try {
        for await (const { id, event } of readEvents(`${gateway()}/v1/runs/${runId}/events`, {
          headers: headers(),
          ...resume,
        })) {
          ids.push(Number(id));
          if (event === 'done') return ids;
        }
      } catch {
        await pause(100);
      }
    }
    throw new Error(`run ${runId} was not read to its end`);
  };

  const load = () =>
    atRate(perSecond, async (n) => {
      const call = n % 5 === 0 ? list() : execute(n % 20 === 1 ? { pieces: 30, pieceDelayMs: 100 } : { pieces: 3 });
      const outcome = await call.catch((reason: unknown) => String(reason));
      if (n % 20 === 1 && outcome === 202) streams.push(follow(started.at(-1) as string));
      return outcome;
    });

  const replaceAll = async (release: string): Promise<void> => {
    for (const service of services) {
      for (const index of [0, 1]) {
        await setup.replace(service, index, release);
        await until(() => service !== 'api-gateway' || ready[index] === true, { what: `the gateway ${index}` });
        await pause(300);
      }
    }
  };

  const schema = async (): Promise<number> => {
    const [row] = await db.query<[{ at: number }]>('select max(version) as at from schema_migrations');
    return row.at;
  };
  const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;

  it('fails no request, loses no run and breaks no stream, and neither does going back', async () => {
    const stopWatching = watchGateways();
    const requests = load();
    const schemaBefore = await schema();
    await pause(2000);
    let since = performance.now();
    await setup.operate(thisRelease, 'migrate');
    const migration = seconds(since);
    expect(await schema()).toBe(newestSchema());

    since = performance.now();
    await replaceAll(thisRelease);
    const upgrade = seconds(since);

    // The next release adds to the schema, is rolled out and taken back: processes of this release start on its schema.
    await db.query(
      `insert into schema_migrations (version, name, oldest_program) values ($1, 'of-the-next-release', 0)`,
      [newestSchema() + 1],
    );
    since = performance.now();
    await replaceAll(thisRelease);
    const goingBack = seconds(since);
    const outcomes = countBy(await requests.stop());
    const sequences = await Promise.all(streams);
    stopWatching();
    await until(
      async () => {
        const [row] = await db.query<[{ left: number }]>(
          `select (select count(*) from runs where completed_at is null)::int +
                  (select count(*) from outbox where job like 'run.%')::int as left`,
        );
        return row.left === 0;
      },
      { what: 'the end of all runs' },
    );
    const [runs] = await db.query<[{ succeeded: number; again: number }]>(
      `select count(*) filter (where status = 'succeeded')::int as succeeded,
              count(*) filter (where attempt > 1)::int as again from runs where id = any($1)`,
      [started],
    );
    const figures = {
      from,
      schema: [schemaBefore, newestSchema()],
      outcomes,
      runs: started.length,
      succeeded: runs.succeeded,
      startedAgain: runs.again,
      streams: sequences.length,
      seconds: { migration, upgrade, goingBack },
    };
    process.stdout.write(`rolling upgrade: ${JSON.stringify(figures)}\n`);
    expect(Object.keys(outcomes)).toEqual(['200', '202']);
    expect(runs).toEqual({ succeeded: started.length, again: 0 });
    for (const ids of sequences) expect(ids).toEqual(ids.map((_, index) => index + 1));
    const findings = { ...(await audit(db.manager)), ledgerFaults: await ledgerFaults(db.manager) };
    expect(findings).toEqual(nothingFound);
  });
});
