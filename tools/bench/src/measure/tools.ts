import { demoParams } from '@lensforge/dev';
import type { Call } from '../load/connection.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { Row } from '../report/row.js';
import type { BaselineName } from '../setup/baseline-programs.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connections = 32;
const warmMs = 400;
/** The number of warm-up calls on both sides before the first round. */
const warmUp = { calls: 8000, seconds: 10 };

const baselines = [
  {
    program: 'bare-tools',
    group: 'Tool calls a second, against a bare dispatcher with the same statements',
    least: 0.5,
  },
  {
    program: 'sdk-tools',
    group: 'Tool calls a second, against the official SDK’s server with the same tool',
    least: 3,
  },
] as const;
const names = ['get_lens', 'run_lens'] as const;

/** Tool calls over HTTP: ours with a token, a rate limit and access rules, the baselines without. */
export const measureTools: Measure = async (setup, options) => {
  await setup.workers(0);
  const rows: Row[] = [];
  for (const baseline of baselines) rows.push(...(await measureAgainst(baseline, setup, options)));
  return rows;
};

async function measureAgainst(
  { program, group, least }: (typeof baselines)[number],
  setup: BenchPlatform,
  { rounds, seconds }: Parameters<Measure>[1],
): Promise<Row[]> {
  await setup.baseline.start(program satisfies BaselineName);
  const ours = Number(new URL(setup.platform.urlOf('mcp-gateway')).port);
  const theirs = setup.baseline.portOf(program);
  for (const name of names) {
    for (const port of [ours, theirs]) await warm(setup, callOf(setup, name, port));
  }
  const found = await alternate(rounds, async (side) => {
    const sample: Record<string, ReturnType<typeof finding>> = {};
    for (const name of names) {
      sample[name] = await pace(setup, callOf(setup, name, side === 'ours' ? ours : theirs), seconds * 1000);
    }
    return sample;
  });
  await setup.baseline.stop(program);
  return names.map((name) =>
    rowOf(
      { group, name: `${name}, ${connections} connections`, unit: '/s', target: { of: 'ratio', least } },
      found,
      name,
    ),
  );
}

async function warm(setup: BenchPlatform, call: Call): Promise<void> {
  let answered = 0;
  for (let second = 0; second < warmUp.seconds && answered < warmUp.calls; second += 1) {
    answered += (await setup.load.carryOut({ kind: 'closed', call, connections, warmMs: 0, ms: 1000 })).answered;
  }
}

function callOf({ platform: { tokens, lensId } }: BenchPlatform, name: (typeof names)[number], port: number): Call {
  const args = name === 'run_lens' ? { lens_id: lensId, param_values: demoParams } : { lens_id: lensId };
  return {
    port,
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${tokens['mcp'] ?? ''}`,
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    status: 200,
  };
}

async function pace(setup: BenchPlatform, call: Call, ms: number): Promise<ReturnType<typeof finding>> {
  const { outcome, cores } = await watched(setup, () =>
    setup.load.carryOut({ kind: 'closed', call, connections, warmMs, ms }),
  );
  return finding(outcome.answered / (outcome.ms / 1000), cores);
}
