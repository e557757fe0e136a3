import { randomBytes } from 'node:crypto';
import { accountRateClasses } from '@lensforge/contracts';
import { type Context, newId, platformActor, systemClock } from '@lensforge/core';
import { ledgerFaults } from '@lensforge/credits';
import { openDatabase, withDbRetry } from '@lensforge/database';
import { type Platform, startPlatform } from '@lensforge/dev';
import { createLens } from '@lensforge/lenses';
import { type EventStream, migratedDataFolder, readEvents, until } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { type Findings, audit } from './audit.js';

/** Limits that tests do not reach by accident; tests of limits set their own. */
const roomyRates = Object.fromEntries(
  ['unauthenticated', 'sign_in', ...accountRateClasses].map((rate) => [
    `LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`,
    '1000000',
  ]),
);

export type PlatformOptions = NonNullable<Parameters<typeof startPlatform>[0]>;

export interface Reply {
  status: number;
  ms: number;
  headers: Headers;
  body: { data?: Record<string, unknown>; error?: { code: string; message: string } | null };
}

export interface Order {
  /** An instruction for the offline provider. */
  script?: object;
  body?: Record<string, unknown>;
  gateway?: number;
  token?: string;
  /** The timeout of the caller in milliseconds. */
  patience?: number;
}

export interface Following {
  gateway?: number;
  url?: string;
  lastEventId?: string;
  token?: string;
}

const masterKey = randomBytes(32).toString('base64');

/** A whole platform as in production, with helpers to use it. */
export class TestPlatform {
  readonly masterKey = masterKey;
  readonly token: string;

  private constructor(
    readonly platform: Platform,
    readonly db: DataSource,
    readonly ctx: Context,
    readonly lensId: string,
  ) {
    this.token = platform.tokens['developer'] ?? '';
  }

  static async open(options: PlatformOptions = {}): Promise<TestPlatform> {
    const platform = await startPlatform({
      fast: true,
      ...options,
      postgres: { copyOf: options.postgres?.installed ? undefined : migratedDataFolder(), ...options.postgres },
      environment: {
        LOG_LEVEL: 'warn',
        LENSFORGE_MASTER_KEY: masterKey,
        ...roomyRates,
        LENSFORGE_RUN_LEASE_MS: '4000',
        LENSFORGE_RUN_HEARTBEAT_MS: '1000',
        ...options.environment,
      },
    });
    try {
      return await TestPlatform.prepare(platform, options);
    } catch (reason) {
      await platform.stop();
      throw reason;
    }
  }

  private static async prepare(platform: Platform, options: PlatformOptions): Promise<TestPlatform> {
    const db = await openDatabase({
      url: platform.databaseUrl,
      ca: options.databaseCa,
      applicationName: 'journey',
      timeoutFactor: 5,
    });
    const [alice] = platform.users;
    if (!alice) throw new Error('the platform has no demo user');
    const actor = { ...platformActor, accountId: alice.lenserId };
    const ctx: Context = { actor, db: db.manager, now: systemClock, requestId: newId() };
    const { lens } = await createLens(ctx, {
      title: 'Journey',
      templateBody: 'Tell [[Name]] about the journey in a few words.\n[[Script!]]\nThat is all there is to do.',
    });
    return new TestPlatform(platform, db, ctx, lens.id);
  }

  get accountId(): string {
    return this.ctx.actor.accountId;
  }

  async call(
    method: string,
    path: string,
    { body, gateway = 0, token = this.token, patience = 60_000 }: Omit<Order, 'script'> = {},
  ): Promise<Reply> {
    const since = performance.now();
    const answer = await fetch(this.platform.urlOf('api-gateway', gateway) + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    });
    const text = await answer.text();
    const ms = performance.now() - since;
    return {
      status: answer.status,
      ms,
      headers: answer.headers,
      body: (text ? JSON.parse(text) : {}) as Reply['body'],
    };
  }

  execute({ script, body = {}, ...where }: Order = {}): Promise<Reply> {
    const params = { Name: 'Ada', ...(script && { Script: `\n@offline ${JSON.stringify(script)}\n` }) };
    return this.call('POST', `/v1/lenses/${this.lensId}/execute`, { ...where, body: { params, ...body } });
  }

  /** Executes until the gateway decides; repeat it with an idempotency key alone. */
  async decided(order: Order): Promise<Reply> {
    const reply = await this.execute(order);
    return isBusy(reply.status) ? this.decided(order) : reply;
  }

  /** Accepts a run and returns its id; any other response fails the test. */
  async accepted(order: Order = {}): Promise<string> {
    const { status, body } = await this.execute(order);
    if (status !== 202) throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`);
    return String(body.data?.['runId']);
  }

  async statusOf(runId: string, gateway = 0): Promise<string> {
    return String((await this.call('GET', `/v1/runs/${runId}`, { gateway })).body.data?.['status']);
  }

  follow(runId: string, { gateway = 0, url, lastEventId, token = this.token }: Following = {}): EventStream {
    return readEvents(`${url ?? this.platform.urlOf('api-gateway', gateway)}/v1/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${token}` },
      ...(lastEventId !== undefined && { lastEventId }),
    });
  }

  /** Follows all runs of a batch or with a tag. */
  followGroup(query: string, { gateway = 0, lastEventId }: Pick<Following, 'gateway' | 'lastEventId'>): EventStream {
    return readEvents(`${this.platform.urlOf('api-gateway', gateway)}/v1/run-events?${query}`, {
      headers: { authorization: `Bearer ${this.token}` },
      ...(lastEventId !== undefined && { lastEventId }),
    });
  }

  /** Sends a signal to a live process of a service, and returns its index. */
  signal(service: string, signal: NodeJS.Signals): Promise<number> {
    const alive = (): number[] => [this.platform.pids[service] ?? []].flat();
    const signalOne = (): number => {
      const pid = alive()[Math.floor(Math.random() * alive().length)] ?? 0;
      if (pid > 0) process.kill(pid, signal);
      return pid;
    };
    return until(signalOne, { what: `${service} again` });
  }

  /** The current process of a replica; undefined during a restart. */
  pidOf(name: string, index = 0): number | undefined {
    return this.platform.pidOf(name, index);
  }

  /** Waits until all runs have ended and the outbox is empty. */
  async allEnded(within?: number): Promise<void> {
    let left = -1;
    await until(
      async () => {
        const rows = await this.db.query<{ left: number; open: number }[]>(
          `select (select count(*)::int from runs where completed_at is null) as left,
                  (select count(*)::int from outbox where job like 'run.%') as open`,
        );
        left = rows[0]?.left ?? -1;
        return left === 0 && rows[0]?.open === 0;
      },
      { ...(within !== undefined && { within }), every: 100, what: () => `the end of all runs (${left} left)` },
    );
  }

  /** After a crash of PostgreSQL the pool may still have connections to it, each of which fails once. */
  findings(): Promise<Findings> {
    return withDbRetry(async () => ({
      ...(await audit(this.db.manager)),
      ledgerFaults: await ledgerFaults(this.db.manager),
    }));
  }

  /** Waits until every worker has checked the invariants without a violation and the outbox is empty. */
  async invariantsHold(): Promise<void> {
    const workers = [this.platform.pids['run-worker'] ?? []].flat().length;
    let lines: string[] = [];
    const hold = async (): Promise<boolean> => {
      const texts = await Promise.all(
        Array.from({ length: workers }, async (_, n) =>
          (await fetch(`${this.platform.urlOf('run-worker', n)}/metrics`)).text(),
        ),
      );
      lines = texts.flatMap((text) => text.split('\n').filter((line) => invariant.test(line)));
      return lines.length === workers * 6 && lines.every((line) => line.endsWith(' 0'));
    };
    await until(() => hold().catch(() => false), {
      every: 500,
      what: () => `invariants that hold: ${lines.join(', ')}`,
    });
  }

  async close(): Promise<void> {
    await this.db.destroy();
    await this.platform.stop();
  }
}

const invariant = /^(lensforge_invariant_violations|lensforge_outbox_open_rows)\{/;

/** Makes `count` calls, at most `atOnce` at the same time. */
export async function withConcurrency<T>(count: number, atOnce: number, call: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const callInTurn = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      results[n] = await call(n);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, callInTurn));
  return results;
}

/** Calls `perSecond` times a second until stopped; returns the results. */
export function atRate<T>(
  perSecond: number,
  call: (n: number) => Promise<T>,
): { stop(): Promise<T[]>; sent: () => number } {
  const calls: Promise<T>[] = [];
  const since = performance.now();
  // Catches up on calls that were due while this process was busy.
  const timer = setInterval(() => {
    while (calls.length < ((performance.now() - since) / 1000) * perSecond) calls.push(call(calls.length));
  }, 1000 / perSecond);
  return {
    sent: () => calls.length,
    stop: () => {
      clearInterval(timer);
      return Promise.all(calls);
    },
  };
}

/** A gateway with more requests than it can read or answer in time says so, and may be asked again. */
export const isBusy = (status: number): boolean => status === 408 || status === 503;

export const countBy = (values: readonly (string | number)[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};
