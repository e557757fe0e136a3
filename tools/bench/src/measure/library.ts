import type { Call } from '../load/connection.js';
import { latencyOf } from '../report/percentile.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding } from './measured.js';
import type { Measure } from './part.js';

const steps = { few: 1000, some: 100_000, many: 1_000_000 } as const;
const atOnce = 25_000;
const connections = 16;
const perSecond = 40;
const words = 4000;

/** Lenses of 2,000 accounts, most of them public; three words of a vocabulary in each title, thirty in each text. */
const fill = `
with made as (
  select uuidv7() as id, uuidv7() as version, a.id as account_id, n,
         'word' || (n * 7 % ${words}) || ' word' || (n * 13 % ${words}) || ' word' || (n % ${words}) as title,
         (select string_agg('word' || ((n + 1) * k % ${words}), ' ') from generate_series(1, 30) k) as body
    from generate_series($1::int, $2::int) n
    join (select id, row_number() over () as place from accounts where handle like 'bench-%') a on a.place = 1 + n % 2000
), versions as (
  insert into lens_versions (id, lens_id, semver, template_body, params) select version, id, '1.0.0', body, '[]' from made
)
insert into lenses (id, account_id, title, visibility, status, head_version_id, search_vector)
select id, account_id, title, case when n % 10 = 0 then 'private' else 'public' end, 'published', version,
       lens_search_vector(title, '{}', '', body) from made`;

const people = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'bench-' || i, 'x' from generate_series(1, 2000) i;
insert into search_terms select 'word' || i from generate_series(0, ${words - 1}) i`;

/** The latency of searches and lists in a growing library, at a fixed rate. Must be the last part: the library stays. */
export const measureLibrary: Measure = async (setup, { rounds, seconds }) => {
  await setup.workers(0);
  await setup.db.query(people);
  let filled = 0;
  const grow = async (to: number): Promise<void> => {
    for (; filled < to; filled += Math.min(atOnce, to - filled)) {
      await setup.db.query(fill, [filled + 1, Math.min(filled + atOnce, to)]);
    }
    await setup.db.query('vacuum (analyze) lenses, lens_versions, lens_counts, search_terms');
  };
  const found: Record<string, ReturnType<typeof finding>[]> = {};
  for (const [name, count] of Object.entries(steps)) {
    await grow(count);
    for (let round = -1; round < rounds; round += 1) {
      for (const [what, call] of Object.entries(callsOf(setup, round))) {
        const order = { kind: 'open', call, connections, perSecond, ms: seconds * 1000 } as const;
        const { latencies } = await setup.load.carryOut(order);
        if (round >= 0) (found[`${what} ${name}`] ??= []).push(finding(latencyOf(latencies).p99));
      }
    }
  }
  const rows = (figure: string) => found[figure] ?? [];
  return [
    { group: 'Search by tool, p99', name: 'in 100,000 lenses', unit: 'ms', ours: rows('search some') },
    { group: 'Search by tool, p99', name: 'in 1,000,000 lenses', unit: 'ms', ours: rows('search many') },
    {
      group: 'List by tool, p99, with 1,000,000 lenses (baseline: with 1,000)',
      name: 'the newest twenty',
      unit: 'ms',
      target: { of: 'ratio', most: 1.5 },
      ours: rows('list many'),
      baseline: rows('list few'),
    },
  ];
};

/** Each round uses another word, so that no cache helps. */
function callsOf({ platform }: BenchPlatform, round: number): Record<'search' | 'list', Call> {
  const port = Number(new URL(platform.urlOf('mcp-gateway')).port);
  const tool = (name: string, args: object): Call => ({
    port,
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${platform.tokens['mcp'] ?? ''}`,
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    status: 200,
  });
  return {
    search: tool('search_lenses', { query: `word${(round + 2) * 37} word${(round + 2) * 91}` }),
    list: tool('list_lenses', {}),
  };
}
