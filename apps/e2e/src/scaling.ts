import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { grantCredits } from '@lensforge/credits';
import { openDatabase } from '@lensforge/database';
import {
  type Evaluation,
  type Scaler,
  evaluate,
  firstEvaluation,
  manifestsIn,
  readScaler,
  buildYaml,
} from '@lensforge/manifests';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { Redis } from 'ioredis';
import { TestPlatform, atRate, withConcurrency } from './test-platform.js';

export interface Burst {
  runs: number;
  /** Instead of the maximum of the manifest. */
  most: number;
  /** All seconds of the manifest and of the autoscaler are divided by it. */
  timeScale: number;
  /** The time that the provider takes for a run. */
  delayMs: number;
}

export interface ScalingOutcome {
  /** The replicas after each change, from the first to the last. */
  replicas: number[];
  /** The greatest values that KEDA would have read, by trigger. */
  greatest: Record<string, number>;
  /** Workers that were stopped, and the runs that they executed at that time. */
  stops: { worker: number; executing: number }[];
  accepted: number;
  succeeded: number;
  workerLost: number;
  startedAgain: number;
  /** Runs that were not charged exactly once. */
  badlyCharged: number;
}

/** The interval in which the HorizontalPodAutoscaler evaluates its metrics. */
const evaluationSeconds = 15;
const worker = 'run-worker';

export const openScalingPlatform = ({ most }: Burst): Promise<TestPlatform> =>
  TestPlatform.open({
    replicas: { [worker]: most },
    environment: {
      LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT: '10000',
      LENSFORGE_INVARIANTS_MS: '1000',
      DATABASE_POOL_SIZE: '4',
      LENSFORGE_DRAIN_MS: '30000',
      // A busy machine must not end a lease; only a worker that was not stopped properly may.
      LENSFORGE_RUN_LEASE_MS: '20000',
      LENSFORGE_RUN_HEARTBEAT_MS: '2000',
    },
  });

/** Reads the metrics with the triggers' own query and keys, as the role of `k8s/scaler-role.sql`. */
async function openMetrics(
  setup: TestPlatform,
  scaler: Scaler,
): Promise<{ read: () => Promise<Record<string, number>>; close: () => Promise<void> }> {
  const password = 'a-test-password';
  const file = join(import.meta.dirname, '..', '..', '..', 'k8s', 'scaler-role.sql');
  const sql = readFileSync(file, 'utf8').replace(":'password'", `'${password}'`);
  const [, role = ''] = /^create role (\w+)/m.exec(sql) ?? [];
  await setup.db.query(sql);
  const url = new URL(setup.platform.databaseUrl);
  [url.username, url.password] = [role, password];
  const source = await openDatabase({ url: url.href, applicationName: 'scaler', poolSize: 1 });
  const redis = new Redis(setup.platform.redisUrl);

  // The scaler of KEDA asks for the type of a key first.
  const lengthOf = async (key: string): Promise<number> => {
    const type = await redis.type(key);
    if (type === 'none') return 0;
    if (type === 'list') return redis.llen(key);
    if (type === 'zset') return redis.zcard(key);
    throw new Error(`the key ${key} is a ${type}, which the scaler cannot count`);
  };
  const countOf = async (query: string): Promise<number> => {
    const [row] = await source.query<Record<string, string>[]>(query);
    return Number(Object.values(row ?? {})[0]);
  };
  const all = [
    ...Object.entries(scaler.queries).map(([name, query]) => ({ name, read: () => countOf(query) })),
    ...Object.entries(scaler.lists).map(([name, key]) => ({ name, read: () => lengthOf(key) })),
  ];
  return {
    read: async () =>
      Object.fromEntries(await Promise.all(all.map(async ({ name, read }) => [name, await read()] as const))),
    close: async () => {
      redis.disconnect();
      await source.destroy();
    },
  };
}

/** Starts and stops the workers of a platform. */
class Workers {
  readonly stops: ScalingOutcome['stops'] = [];
  private readonly changes = new Map<number, Promise<void>>();

  constructor(private readonly setup: TestPlatform) {}

  /** Changes from one number of replicas to another, without waiting for starts and drains. */
  change(from: number, to: number): void {
    for (let index = from; index < to; index += 1) this.after(index, () => this.setup.platform.resume(worker, index));
    for (let index = from - 1; index >= to; index -= 1) this.after(index, () => this.stop(index));
  }

  async settled(): Promise<void> {
    await Promise.all(this.changes.values());
  }

  private after(index: number, next: () => Promise<void>): void {
    const change = (this.changes.get(index) ?? Promise.resolve()).then(next);
    change.catch(() => undefined);
    this.changes.set(index, change);
  }

  private async stop(index: number): Promise<void> {
    const pid = this.setup.pidOf(worker, index);
    const rows = await this.setup.db.query<{ worker: string | null }[]>(
      `select worker from runs where status = 'running'`,
    );
    const executing = rows.filter((row) => row.worker?.split(/\D+/).includes(String(pid))).length;
    this.stops.push({ worker: index, executing });
    await this.setup.platform.hold(worker, index);
  }
}

/** A burst of runs, and a few runs a second until the workers are at their minimum again. */
export async function scaleThroughBurst(setup: TestPlatform, burst: Burst): Promise<ScalingOutcome> {
  const { runs, most, timeScale, delayMs } = burst;
  const scaler = { ...readScaler(manifestsIn(buildYaml('production')), worker), max: most };
  const metrics = await openMetrics(setup, scaler);
  const workers = new Workers(setup);
  workers.change(most, 0);
  await workers.settled();
  await grantCredits(setup.ctx, { accountId: setup.accountId, amount: 1_000_000_000 });
  const model = await aPricedModel(setup.ctx);
  const accept = (): Promise<string> =>
    setup.accepted({ script: { delayMs, pieces: 2 }, body: { modelOverride: model.key } });

  // The burst is there before the workers, so that its backlog does not depend on how fast a machine accepts runs.
  const accepted = await withConcurrency(runs, 24, accept);
  workers.change(0, scaler.min);
  await workers.settled();
  workers.stops.length = 0;
  const history: Evaluation[] = [firstEvaluation(0, scaler.min)];
  const replicasNow = (): number => history.at(-1)?.replicas ?? scaler.min;
  const greatest: Record<string, number> = {};
  const since = performance.now();
  const seconds = (): number => ((performance.now() - since) / 1000) * timeScale;
  const step = async (): Promise<void> => {
    const values = await metrics.read();
    for (const [name, value] of Object.entries(values)) greatest[name] = Math.max(greatest[name] ?? 0, value);
    const before = replicasNow();
    history.push(evaluate(scaler, history, seconds(), values));
    workers.change(before, replicasNow());
  };
  let over = false;
  const scaling = (async () => {
    while (!over) {
      await step();
      await pause((evaluationSeconds / timeScale) * 1000);
    }
  })();

  const reached = until(() => replicasNow() === most, { every: 50, what: `${most} workers` });
  await Promise.race([reached, scaling]);
  const trickle = atRate(5, accept);
  await Promise.race([
    until(() => replicasNow() === scaler.min, { within: 400_000, every: 50, what: 'the minimum of workers' }),
    scaling,
  ]);
  over = true;
  await scaling;
  accepted.push(...(await trickle.stop()));
  await workers.settled();
  await setup.allEnded();
  await metrics.close();

  const [ends] = await setup.db.query<
    [Pick<ScalingOutcome, 'succeeded' | 'workerLost' | 'startedAgain' | 'badlyCharged'>]
  >(
    `select count(*) filter (where status = 'succeeded')::int as succeeded,
            count(*) filter (where error_code = 'WORKER_LOST')::int as "workerLost",
            count(*) filter (where attempt > 1)::int as "startedAgain",
            count(*) filter (where (select count(*) from credit_entries e where e.run_id = r.id and e.kind = 'capture') <> 1)::int
              as "badlyCharged"
       from runs r where id = any($1)`,
    [accepted],
  );
  const replicas = history.flatMap(({ replicas: count }, index) =>
    count === history[index - 1]?.replicas ? [] : [count],
  );
  return { replicas, greatest, stops: workers.stops, accepted: accepted.length, ...ends };
}
