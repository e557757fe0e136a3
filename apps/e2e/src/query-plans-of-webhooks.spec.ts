import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import {
  advanceReplays,
  claimDeliveries,
  fanOutEvents,
  listDeliveries,
  listEvents,
  listRunDeliveries,
  reconcileDeliveries,
  recordAttempts,
  renewLeases,
} from '@lensforge/webhooks';
import { aPlatformEvent } from '@lensforge/webhooks/testing';
import type { DataSource } from 'typeorm';
import { planCounts, plansIn, indexesOf } from './query-plan-reader.js';

const owner = newId();

/**
 * 40 endpoints with 1,000 events each. A few have delivered all but the newest events; at the others nearly all deliveries wait:
 * for a slot of a slow endpoint, or for the next attempt at a failing one.
 */
const fill = `
insert into accounts (id, kind, handle, display_name) values ('${owner}', 'person', 'owner', 'x');
insert into webhook_endpoints (id, account_id, url, events, secret, failures, breaker_openings, breaker_open_until)
  select uuidv7(), '${owner}', 'https://' || i || '.example/', '{run.completed}', 'x', case when i % 4 = 3 then 20 else 0 end,
         case when i % 4 = 3 then 1 else 0 end, case when i % 4 = 3 then now() + interval '1 hour' end
    from generate_series(1, 40) i;
insert into webhook_events (id, account_id, type, body, occurred_at)
  select uuidv7(), '${owner}', 'run.completed', convert_to('{"data":{}}', 'UTF8'), now() - (1000 - i) * interval '1 s'
    from generate_series(1, 1000) i;
insert into webhook_deliveries (id, endpoint_id, event_id, account_id, type, state, slot, attempt, next_at, lease_until, ended_at)
  select uuidv7(), e.id, v.id, e.account_id, v.type, s.state, case s.state when 'sending' then v.n - 1 end, 1,
         now() - (1000 - v.n) * interval '1 s', case s.state when 'sending' then now() + interval '1 hour' end,
         case s.state when 'delivered' then now() end
    from (select *, substring(url, '\\d+')::int % 4 as kind from webhook_endpoints) e,
         (select *, row_number() over (order by occurred_at) as n from webhook_events) v,
         lateral (select case when e.kind < 2 and v.n <= 998 then 'delivered'
                              when e.kind = 2 and v.n <= 4 then 'sending' else 'pending' end as state) s;
insert into webhook_attempts (id, delivery_id, number, status, duration_ms)
  select gen_random_uuid(), id, 1, 204, 5 from webhook_deliveries where state = 'delivered';
insert into webhook_listeners (account_id, until) select uuidv7(), now() from generate_series(1, 1000)`;

let database: TestDatabase;
let source: DataSource;
let endpoint: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  [{ id: endpoint }] = await source.query<[{ id: string }]>('select id from webhook_endpoints limit 1');
});
afterAll(() => database.close());

const own = ({ db }: Context): Context => aContext(db, { accountId: owner });
const claim = (ctx: Context) => claimDeliveries(ctx, { leaseMs: 8000, slots: 4, limit: 256 });
const answered = (status: number) => ({
  status,
  error: null,
  detail: null,
  retryAfter: null,
  answer: Buffer.alloc(0),
  durationMs: 5,
});
const terms = { retryMs: [5000], breakerFailures: 10, breakerMs: 5000 };

const claiming = [
  /^(webhook_deliveries|bitmap) by webhook_deliveries_(due|slot|pkey)$/,
  /^(webhook_events|bitmap) by webhook_events_pkey$/,
];
const recording = [...claiming, /^webhook_attempts by /];

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['claiming deliveries', claim, claiming],
  [
    'recording attempts',
    async (ctx) => {
      const { claims } = await claim(ctx);
      await recordAttempts(
        ctx,
        claims.map((claim, n) => ({ claim, result: answered(n === 0 ? 500 : 204) })),
        terms,
      );
    },
    recording,
  ],
  ['renewing leases', async (ctx) => renewLeases(ctx, (await claim(ctx)).claims, 8000), claiming],
  ['looking for lost deliveries', (ctx) => reconcileDeliveries(ctx), [/webhook_deliveries_(open|slot|pkey)$/]],
  [
    'fanning events out',
    (ctx) => {
      const { requestId, traceparent } = ctx;
      return fanOutEvents(ctx, [{ event: aPlatformEvent(owner), requestId, traceparent }]);
    },
    [
      /^outbox by /,
      /^webhook_events by webhook_events_pkey$/,
      /^bitmap by webhook_events_pkey$/,
      /^webhook_listeners by webhook_listeners_pkey$/,
    ],
  ],
  [
    'listing deliveries',
    (ctx) => listDeliveries(own(ctx), { endpointId: endpoint, limit: 20 }),
    [/webhook_deliveries_(listed|due)$/],
  ],
  ['listing events', (ctx) => listEvents(own(ctx), { limit: 20 }), [/^webhook_events by webhook_events_listed$/]],
  [
    'listing the deliveries of a run',
    (ctx) => listRunDeliveries(own(ctx), { runId: newId(), completedAt: new Date().toISOString(), limit: 20 }),
    [
      /^(webhook_events|bitmap) by webhook_events_listed$/,
      /^(webhook_deliveries|bitmap) by webhook_deliveries_once$/,
      /^webhook_endpoints by webhook_endpoints_pkey$/,
    ],
  ],
  ['carrying on replays', (ctx) => advanceReplays(ctx), [/^(webhook_replays|bitmap) by /]],
];

describe('a query on deliveries uses an index with any backlog:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });

  it('claims exactly the deliveries that can be sent', async () => {
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    const { claims, after } = await claim(aContext(runner.manager));
    await runner.rollbackTransaction();
    await runner.release();
    expect(claims).toHaveLength(40);
    expect(new Set(claims.map(({ endpointId }) => endpointId)).size).toBe(20);
    expect(after).toBeUndefined();
  });
});

describe('a frequent statement of dispatchers uses its generic plan:', () => {
  const claim = { deliveryId: newId(), endpointId: newId(), attempt: 1, tries: 0 };
  const often: [string, (ctx: Context) => Promise<unknown>][] = [
    ['claiming deliveries', (ctx) => claimDeliveries(ctx, { leaseMs: 8000, slots: 4, limit: 1 })],
    ['recording attempts', (ctx) => recordAttempts(ctx, [{ claim, result: answered(204) }], terms)],
  ];
  it.each(often)('%s', async (_, call) => {
    expect(await plansIn(database.url, call)).toEqual([planCounts]);
  });
});
