import type { Call } from '../load/connection.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connections = 32;
const warmMs = 400;
const warmUpMs = 3000;

const credentials = { opaque: 'an opaque token', signed: 'a session token (JWT)' } as const;
const kinds = ['opaque', 'signed'] as const;

/** The same query behind a door that asks who is there, and behind one that does not: the floor is the latter. */
export const measureCredentials: Measure = async (stage, { rounds, seconds }) => {
  await stage.workers(0);
  await stage.floor.start('doors');
  const { tokens } = stage.platform;
  const port = stage.floor.portOf('doors');
  const guarded = (token = ''): Call => ({
    port,
    method: 'GET',
    path: '/v1/guarded',
    headers: { authorization: `Bearer ${token}` },
    status: 200,
  });
  const open: Call = { port, method: 'GET', path: '/open', status: 200 };
  const calls = { opaque: guarded(tokens['developer2']), signed: guarded(tokens['session2']) };

  for (const call of [open, calls.opaque, calls.signed]) await pace(stage, call, warmUpMs);
  const found = await alternate(rounds, async (side) => {
    const turn: Record<string, ReturnType<typeof finding>> = {};
    for (const kind of kinds) turn[kind] = await pace(stage, side === 'ours' ? calls[kind] : open, seconds * 1000);
    return turn;
  });
  await stage.floor.stop('doors');
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

async function pace(stage: BenchPlatform, call: Call, ms: number): Promise<ReturnType<typeof finding>> {
  const { outcome, cores } = await watched(stage, () =>
    stage.load.carryOut({ kind: 'closed', call, connections, warmMs, ms }),
  );
  return finding(outcome.answered / (outcome.ms / 1000), cores);
}
