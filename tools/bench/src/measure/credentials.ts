import type { Call } from '../load/connection.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connections = 32;
const warmMs = 400;
const warmUpMs = 3000;

const credentials = { opaque: 'an opaque token', signed: 'a session token (JWT)' } as const;
const kinds = ['opaque', 'signed'] as const;

/** The same query with and without authentication; the baseline is without. */
export const measureCredentials: Measure = async (setup, { rounds, seconds }) => {
  await setup.workers(0);
  await setup.baseline.start('endpoints');
  const { tokens } = setup.platform;
  const port = setup.baseline.portOf('endpoints');
  const guarded = (token = ''): Call => ({
    port,
    method: 'GET',
    path: '/v1/guarded',
    headers: { authorization: `Bearer ${token}` },
    status: 200,
  });
  const open: Call = { port, method: 'GET', path: '/open', status: 200 };
  const calls = { opaque: guarded(tokens['developer2']), signed: guarded(tokens['session2']) };

  for (const call of [open, calls.opaque, calls.signed]) await pace(setup, call, warmUpMs);
  const found = await alternate(rounds, async (side) => {
    const sample: Record<string, ReturnType<typeof finding>> = {};
    for (const kind of kinds) sample[kind] = await pace(setup, side === 'ours' ? calls[kind] : open, seconds * 1000);
    return sample;
  });
  await setup.baseline.stop('endpoints');
  return kinds.map((kind) =>
    rowOf(
      {
        group: 'Requests a second with a credential, and without one',
        name: `${credentials[kind]}, ${connections} connections`,
        unit: '/s',
        target: { of: 'ratio', least: 0.7 },
      },
      found,
      kind,
    ),
  );
};

async function pace(setup: BenchPlatform, call: Call, ms: number): Promise<ReturnType<typeof finding>> {
  const { outcome, cores } = await watched(setup, () =>
    setup.load.carryOut({ kind: 'closed', call, connections, warmMs, ms }),
  );
  return finding(outcome.answered / (outcome.ms / 1000), cores);
}
