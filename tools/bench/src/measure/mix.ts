import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../load/connection.js';
import { type Latency, latencyOf } from '../report/percentile.js';
import { type Sample, alternate, rowOf } from '../report/rounds.js';
import type { Cores, Finding, Row, Side, Target } from '../report/row.js';
import { callApi } from '../setup/call-api.js';
import { type BenchPlatform, openBenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';
import { allEnded } from './run-through.js';
import { installedPostgres } from './stock.js';

const callers = [8, 32];
const accountCount = 10;
const loneRuns = 100;
const lonePauseMs = 40;
/** Sent before each measurement: an emptied table makes PostgreSQL plan all its statements again. */
export const warmUpRuns = 200;
const pollMs = 25;
/** The last jobs reach the queue within this time. */
const settleMs = 500;
const patienceMs = 120_000;

/** One way to send runs: by one account or several, with a webhook endpoint or none. */
export interface Mix {
  name: string;
  webhook: boolean;
  calls: Readonly<Record<Side, Call[]>>;
}

/**
 * Runs as users run them: all services with default limits, one run-worker and one dispatcher, on an installed PostgreSQL
 * with default settings if there is one. Only the rate limits differ from the defaults.
 */
export const measureMix =
  (signal: AbortSignal): Measure =>
  async (_setup, options) => {
    const installed = process.env['LENSFORGE_POSTGRES_BIN'] ?? installedPostgres();
    const setup = await openBenchPlatform(signal, 1, {
      defaultLimits: true,
      ...(installed !== undefined && { postgres: { installed } }),
    });
    try {
      return await compare(setup, options);
    } finally {
      await setup.close();
    }
  };

/** Opens the ways to send runs; only the second demo user has a webhook endpoint. */
export async function mixesOf(setup: BenchPlatform): Promise<{ free: Mix; many: Mix; notified: Mix }> {
  await setup.baseline.start('receiver');
  await setup.baseline.start('receiver-2');
  const urlOf = (name: 'receiver' | 'receiver-2'): string => `http://127.0.0.1:${setup.baseline.portOf(name)}`;
  const tokens = await tokensOf(setup, accountCount + 1);
  const ours = tokens.map((token) => withToken(setup.subjects.ours.accept(), token));
  const theirs = setup.subjects.baseline.accept();
  const [first] = ours as [Call];
  const body = { url: urlOf('receiver'), events: ['run.completed'] };
  await callApi(setup.platform, 'POST', '/v1/webhook-endpoints', body);
  const notifying = { ...theirs, headers: { 'x-notify': urlOf('receiver-2') } };
  const notified = { ours: [setup.subjects.ours.accept()], baseline: [notifying] };
  return {
    free: { name: 'one account', webhook: false, calls: { ours: [first], baseline: [theirs] } },
    many: { name: `${accountCount} accounts`, webhook: false, calls: { ours: ours.slice(1), baseline: [theirs] } },
    notified: { name: 'one account with a webhook', webhook: true, calls: notified },
  };
}

const withToken = (call: Call, token: string): Call => ({ ...call, headers: { authorization: `Bearer ${token}` } });

/** Tokens of accounts without webhook endpoints, with the rights of the second demo user. */
async function tokensOf({ db, platform }: BenchPlatform, count: number): Promise<string[]> {
  const known = createHash('sha256')
    .update(platform.tokens['developer2'] ?? '')
    .digest();

  const tokens = Array.from({ length: count }, () => `lf_dev_${randomBytes(32).toString('hex')}`);
  for (const [index, token] of tokens.entries()) {
    await db.query(
      `with account as (
         insert into accounts (id, kind, handle, display_name) values (uuidv7(), 'person', 'bench-' || $3, 'Bench') returning id
       )
       insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes)
       select uuidv7(), 'developer', $2, t.prefix, a.id, 'bench', t.scopes from account a, api_tokens t where t.hash = $1`,
      [known, createHash('sha256').update(token).digest(), `${index}`],
    );
  }
  return tokens;
}

interface Sent {
  acceptMs: number;
  totalMs: number;
  accepting: Latency;
  finishing: Latency;
}

/** Sends runs until they have ended as well as those before them, and their webhooks have arrived. */
export async function send(
  setup: BenchPlatform,
  side: Side,
  { calls, webhook }: Mix,
  load: { connections: number; count: number; pauseMs?: number },
): Promise<Sent> {
  const { db, subjects, baseline } = setup;
  const [table, ended] = side === 'ours' ? ['runs', 'completed_at'] : ['baseline_jobs', 'done_at'];
  const {
    rows: [stored],
  } = await db.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  const receiver = `http://127.0.0.1:${baseline.portOf(side === 'ours' ? 'receiver' : 'receiver-2')}`;
  const received = async (): Promise<number> => Number(await (await fetch(receiver)).text());
  const before = webhook ? await received() : 0;
  const since = performance.now();
  const { latencies, ms } = await setup.load.carryOut({ kind: 'timed', calls: calls[side], pauseMs: 0, ...load });
  if (webhook) {
    const until = performance.now() + patienceMs;
    while ((await received()) - before < load.count) {
      if (performance.now() > until) throw new Error(`not all of ${load.count} webhooks arrived`);
      await pause(pollMs);
    }
  }
  await allEnded(subjects[side], (stored?.count ?? 0) + load.count);
  const totalMs = performance.now() - since;
  const { rows } = await db.query<{ ms: number }>(
    `select (extract(epoch from ${ended} - created_at) * 1000)::float8 as ms from ${table} order by created_at desc limit $1`,
    [load.count],
  );
  return {
    acceptMs: ms,
    totalMs,
    accepting: latencyOf(latencies),
    finishing: latencyOf(rows.map(({ ms }) => ms)),
  };
}

/** Empties the tables, and sends runs as they will be measured. */
async function prepare(setup: BenchPlatform, side: Side, mix: Mix, connections: number): Promise<void> {
  await setup.clear();
  await send(setup, side, mix, { connections, count: warmUpRuns });
}

/** Milliseconds of processor time of one run: of everything that does not belong to the benchmark. */
const perRun = (cores: Cores, ms: number, count: number): number =>
  (Object.entries(cores)
    .filter(([name]) => !/^(load generator|bench|baseline receiver)/.test(name))
    .reduce((sum, [, share]) => sum + share, 0) *
    ms) /
  count;

async function compare(setup: BenchPlatform, { rounds, runs }: Parameters<Measure>[1]): Promise<Row[]> {
  await setup.workers(1);
  const mixes = await mixesOf(setup);
  const all = Object.values(mixes);
  for (const side of ['ours', 'baseline'] as const) {
    for (const mix of all) {
      await setup.clear();
      await send(setup, side, mix, { connections: 32, count: runs });
    }
  }
  const found = await alternate(rounds, async (side) => {
    const sample: Record<string, Finding> = {};
    for (const mix of all) {
      for (const connections of callers) {
        await prepare(setup, side, mix, connections);
        const count = mix.webhook ? Math.ceil(runs / 2) : runs;
        const { outcome, cores } = await watched(setup, () => send(setup, side, mix, { connections, count }));
        const name = `${mix.name}, ${connections} callers`;
        sample[`${name} accepted`] = finding((count / outcome.acceptMs) * 1000);
        sample[`${name} completed`] = finding((count / outcome.totalMs) * 1000, cores);
        sample[`${name} accept p50`] = finding(outcome.accepting.p50);
        sample[`${name} accept p99`] = finding(outcome.accepting.p99);
        sample[`${name} done p50`] = finding(outcome.finishing.p50);
        sample[`${name} done p99`] = finding(outcome.finishing.p99);
      }
    }
    return { ...sample, ...(await backlog(setup, side, mixes.free, runs)), ...(await alone(setup, side, mixes)) };
  });
  const server = setup.servers['postgres']?.split(',')[0] ?? '';
  return rowsOf(found, all, server);
}

/** Runs that were accepted while the queue was paused: most of them wait for a slot of their account. */
async function backlog(setup: BenchPlatform, side: Side, mix: Mix, runs: number): Promise<Sample> {
  const subject = setup.subjects[side];
  await prepare(setup, side, mix, 32);
  await subject.queue.pause();
  await setup.load.carryOut({ kind: 'timed', calls: mix.calls[side], connections: 32, count: runs, pauseMs: 0 });
  await pause(settleMs);
  const { outcome, cores } = await watched(setup, async () => {
    const since = performance.now();
    await subject.queue.resume();
    await allEnded(subject, warmUpRuns + runs);
    return performance.now() - since;
  });
  return { backlog: finding((runs / outcome) * 1000, cores) };
}

/** Runs that come alone; the processor time of the idle system is subtracted. */
async function alone(
  setup: BenchPlatform,
  side: Side,
  { free, notified }: Pick<Awaited<ReturnType<typeof mixesOf>>, 'free' | 'notified'>,
): Promise<Sample> {
  const load = { connections: 1, count: loneRuns, pauseMs: lonePauseMs };
  await setup.clear();
  const { cores: idle } = await watched(setup, () => pause(loneRuns * lonePauseMs));
  const sample: Record<string, Finding> = { idle: finding(perRun(idle, 1000, 1)) };
  for (const mix of [free, notified]) {
    await prepare(setup, side, mix, 1);
    const since = performance.now();
    const { outcome, cores } = await watched(setup, () => send(setup, side, mix, load));
    const took = performance.now() - since;
    sample[`alone ${mix.name} ms`] = finding(perRun(cores, took, loneRuns) - perRun(idle, took, loneRuns), cores);
    sample[`alone ${mix.name} done p50`] = finding(outcome.finishing.p50);
  }
  return sample;
}

const targets: Readonly<Record<string, Target>> = {
  'one account, 8 callers completed': { of: 'ratio', least: 0.55 },
  'one account, 32 callers completed': { of: 'ratio', least: 0.65 },
  'one account with a webhook, 8 callers completed': { of: 'ratio', least: 0.5 },
  'one account with a webhook, 32 callers completed': { of: 'ratio', least: 0.55 },
  'one account, 32 callers accept p99': { of: 'ratio', most: 1.5 },
  backlog: { of: 'ratio', least: 0.5 },
  'alone one account done p50': { of: 'ratio', most: 3 },
  'alone one account ms': { of: 'ours', most: 4 },
};

const figures = [
  ['accepted', '/s'],
  ['completed', '/s'],
  ['accept p50', 'ms'],
  ['accept p99', 'ms'],
  ['done p50', 'ms'],
  ['done p99', 'ms'],
] as const;

const titles: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  completed: 'completed',
  'accept p50': 'time to accept, p50',
  'accept p99': 'time to accept, p99',
  'done p50': 'accepted to ended, p50',
  'done p99': 'accepted to ended, p99',
};

function rowsOf(found: Record<Side, Sample[]>, mixes: readonly Mix[], server: string): Row[] {
  const row = (group: string, name: string, unit: Row['unit'], figure: string): Row => {
    const target = targets[figure];
    return rowOf({ group, name, unit, ...(target && { target }) }, found, figure);
  };
  const loaded = mixes.flatMap(({ name }) =>
    callers.flatMap((connections) =>
      figures.map(([figure, unit]) => {
        const group = `Default limits on ${server}: ${name}, ${connections} callers`;
        return row(group, titles[figure] ?? figure, unit, `${name}, ${connections} callers ${figure}`);
      }),
    ),
  );
  const drained = row(`Default limits on ${server}: one account`, 'draining a backlog', '/s', 'backlog');
  const group = `A run that comes alone, on ${server}`;
  const lone = mixes
    .filter(({ name }) => found.ours[0]?.[`alone ${name} ms`])
    .flatMap(({ name }) => [
      row(group, `${name}: processor time above that of the idle system`, 'ms', `alone ${name} ms`),
      row(group, `${name}: accepted to ended, p50`, 'ms', `alone ${name} done p50`),
    ]);
  // Both sides share the machine, so only one figure of the idle system makes sense.
  const idle = row(group, 'processor time of all services and stores in an idle second', 'ms', 'idle');
  return [...loaded, drained, ...lone, withoutBaseline(idle)];
}

const withoutBaseline = ({ baseline: _baseline, ...row }: Row): Row => row;
