import { setTimeout as pause } from 'node:timers/promises';
import type { Posting } from '../baseline/send-request.js';
import { alternate, rowOf } from '../report/rounds.js';
import { callApi } from '../setup/call-api.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const endpoints = 50;
/** The maximum of concurrent deliveries to an endpoint. */
const atOnceEach = 4;
const pollMs = 25;
const patienceMs = 120_000;

const data = {
  runId: '01a1fc3e-7c0d-7d6e-a1c3-4d5e6f708192',
  workflowId: null,
  status: 'succeeded',
  outputs: [
    { artifactKind: 'text', contentText: 'twelve words of output as a model would say them, no more '.repeat(4) },
  ],
  cost: 0,
};

/** Signed deliveries to a local receiver, from the commit of an event until each is stored, against bare calls. */
export const measureDeliveries: Measure = async (setup, { rounds, runs }) => {
  await setup.workers(0);
  await setup.baseline.start('receiver');
  await setup.baseline.start('sender');
  const events = Math.max(1, Math.round((4 * runs) / endpoints));
  const url = `http://127.0.0.1:${setup.baseline.portOf('receiver')}`;
  const ids = await subscribe(setup, url);
  const sample = async (side: 'ours' | 'baseline'): Promise<void> =>
    side === 'ours' ? deliver(setup, events) : postBare(setup, url, events * endpoints);
  try {
    for (const side of ['ours', 'baseline'] as const) await sample(side);
    const found = await alternate(rounds, async (side) => {
      await setup.clear();
      const { outcome, cores } = await watched(setup, async () => {
        const since = performance.now();
        await sample(side);
        return (performance.now() - since) / 1000;
      });
      return { delivered: finding((events * endpoints) / outcome, cores) };
    });
    return [
      rowOf(
        {
          group: 'Webhook deliveries a second to a local sink (baseline: bare fetch)',
          name: `${events} events to each of ${endpoints} endpoints`,
          unit: '/s',
          target: { of: 'ratio', least: 0.4 },
        },
        found,
        'delivered',
      ),
    ];
  } finally {
    for (const id of ids) await callApi(setup.platform, 'DELETE', `/v1/webhook-endpoints/${id}`);
    await setup.baseline.stop('sender');
    await setup.baseline.stop('receiver');
    await setup.workers(1);
  }
};

async function subscribe({ platform }: BenchPlatform, url: string): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < endpoints) {
    const body = { url, events: ['run.completed'] };
    ids.push((await callApi<{ id: string }>(platform, 'POST', '/v1/webhook-endpoints', body)).id);
  }
  return ids;
}

/** Writes outbox rows in a transaction, as a service does. */
async function deliver({ db }: BenchPlatform, events: number): Promise<void> {
  const before = await count(db, `webhook_deliveries where state = 'delivered'`);
  await db.query(
    `insert into outbox (id, job, job_id, payload)
     select v.id, 'platform-event.fan-out', v.id || '-g0',
            jsonb_build_object('eventId', v.id, 'type', 'run.completed', 'accountId', e.account_id,
                               'occurredAt', iso(now()), 'data', $2::jsonb)
       from (select uuidv7() as id from generate_series(1, $1)) v,
            (select account_id from webhook_endpoints order by created_at desc limit 1) e`,
    [events, JSON.stringify(data)],
  );
  const until = performance.now() + patienceMs;
  while ((await count(db, underWay)) > 0) {
    if (performance.now() > until) throw new Error(`not all deliveries were made within ${patienceMs / 1000} s`);
    await pause(pollMs);
  }
  const delivered = (await count(db, `webhook_deliveries where state = 'delivered'`)) - before;
  if (delivered !== events * endpoints) throw new Error(`${delivered} of ${events * endpoints} deliveries were made`);
}

const underWay = `(
  select from outbox where job = 'platform-event.fan-out'
  union all
  select from webhook_deliveries where state in ('pending', 'sending')) open`;

async function count(db: BenchPlatform['db'], what: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${what}`);
  return rows[0]?.count ?? 0;
}

async function postBare({ baseline }: BenchPlatform, url: string, count: number): Promise<void> {
  const body = JSON.stringify({ id: data.runId, event: 'run.completed', timestamp: new Date().toISOString(), data });
  const posting: Posting = { url, body, count, atOnce: endpoints * atOnceEach };
  const answer = await fetch(`http://127.0.0.1:${baseline.portOf('sender')}`, {
    method: 'POST',
    body: JSON.stringify(posting),
  });
  if (!answer.ok) throw new Error(`the bare calls failed: ${await answer.text()}`);
}
