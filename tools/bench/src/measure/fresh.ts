import { setTimeout as pause } from 'node:timers/promises';
import { alternate, rowOf } from '../report/rounds.js';
import type { Finding, Row, Side } from '../report/row.js';
import type { FloorName } from '../stage/floor-programs.js';
import { residentMegabytes } from '../stage/process-figures.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
import { finding } from './measured.js';
import type { Measure } from './part.js';

const readers = 1000;
const settleMs = 3000;
const counterparts: Readonly<Record<string, FloorName>> = { 'api-gateway': 'api', 'run-worker': 'worker' };

/** What a service has to do with: its figures from a fresh process, start-up first, then memory. */
export const measureFresh =
  (wanted: { start: boolean; memory: boolean }): Measure =>
  async (stage, { rounds }) => {
    const services = serviceNames(stage);
    const loaded = await loadedMemory(stage, services);
    await stage.workers(1);
    const found = await alternate(rounds, async (side) => {
      await stage.clear();
      const turn = side === 'ours' ? await restartOurs(stage, services) : await restartFloor(stage);
      if (wanted.memory) Object.assign(turn, await memoryOf(stage, side, services));
      return turn;
    });
    return [
      ...(wanted.memory ? memoryRows(services, found, loaded) : []),
      ...(wanted.start ? startRows(stage, services, found) : []),
    ];
  };

const serviceNames = ({ platform }: BenchPlatform): string[] =>
  Object.keys(platform.pids).filter((name) => name !== 'postgres' && name !== 'redis');

type Found = Record<string, Finding>;

const timed = async (work: () => Promise<unknown>): Promise<Finding> => {
  const since = performance.now();
  await work();
  return finding(performance.now() - since);
};

async function restartOurs({ platform }: BenchPlatform, services: readonly string[]): Promise<Found> {
  const turn: Found = {};
  await Promise.all(services.map((name) => platform.hold(name)));
  turn['start all'] = await timed(() => Promise.all(services.map((name) => platform.resume(name))));
  for (const name of services) {
    await platform.hold(name);
    turn[`start ${name}`] = await timed(() => platform.resume(name));
  }
  return turn;
}

async function restartFloor({ floor }: BenchPlatform): Promise<Found> {
  const turn: Found = {};
  for (const [service, name] of Object.entries(counterparts)) {
    await floor.stop(name);
    turn[`start ${service}`] = await timed(() => floor.start(name));
  }
  return turn;
}

async function memoryOf(stage: BenchPlatform, side: Side, services: readonly string[]): Promise<Found> {
  const turn: Found = {};
  const names = side === 'ours' ? services : Object.keys(counterparts);
  await pause(settleMs);
  for (const name of names) turn[`idle ${name}`] = finding(await residentOf(stage, side, name));
  const streams = await streamsToHold(stage, side);
  // The first requests bring in code and connections that cost the same for one reader as for a thousand.
  await stage.load.carryOut({ kind: 'hold-readers', streams: streams.slice(0, 100) });
  await stage.load.carryOut({ kind: 'let-go' });
  await pause(500);
  const before = await residentOf(stage, side, 'api-gateway');
  await stage.load.carryOut({ kind: 'hold-readers', streams });
  await pause(settleMs);
  turn['readers'] = finding((await residentOf(stage, side, 'api-gateway')) - before);
  await stage.load.carryOut({ kind: 'let-go' });
  return turn;
}

/** Each reader has a run of its own: dearer than a thousand readers of one. */
async function streamsToHold(stage: BenchPlatform, side: Side) {
  const subject = stage.subjects[side];
  await subject.queue.pause();
  const { ids } = await stage.load.carryOut({
    kind: 'pour',
    call: subject.accept(),
    connections: 8,
    count: readers,
  });
  const call = subject.stream();
  return ids.map((id) => ({ ...call, path: call.path.replace('{id}', id) }));
}

function residentOf({ platform, floor }: BenchPlatform, side: Side, service: string): Promise<number> {
  if (side === 'floor') return residentMegabytes(floor.pidOf(counterparts[service] ?? 'api'));
  return residentMegabytes(platform.pidOf(service) ?? 0);
}

/** What the processes have come to that served all that was measured before. */
async function loadedMemory(stage: BenchPlatform, services: readonly string[]): Promise<Row[]> {
  const group = 'Memory, resident';
  const served = services.filter((name) => stage.platform.pidOf(name) !== undefined);
  return Promise.all(
    served.map(async (name): Promise<Row> => {
      const ours = [finding(await residentOf(stage, 'ours', name))];
      const floor = counterparts[name] ? [finding(await residentOf(stage, 'floor', name))] : undefined;
      return { group, name: `${name}, after what was measured before`, unit: 'MB', ours, ...(floor && { floor }) };
    }),
  );
}

type Rounds = Awaited<ReturnType<typeof alternate>>;

const row = (about: Omit<Row, 'ours' | 'floor'>, found: Rounds, key: string): Row =>
  found.floor.some((turn) => turn[key])
    ? rowOf(about, found, key)
    : { ...about, ours: found.ours.flatMap((turn) => turn[key] ?? []) };

function memoryRows(services: readonly string[], found: Rounds, loaded: readonly Row[]): Row[] {
  const about = { group: 'Memory, resident', unit: 'MB' } as const;
  return [
    ...services.map((name) =>
      row({ ...about, name: `${name}, idle`, target: { of: 'ours', most: 140 } }, found, `idle ${name}`),
    ),
    ...loaded,
    row(
      {
        ...about,
        name: `${readers} idle readers (limit of streams per account raised)`,
        target: { of: 'ours', most: 40 },
      },
      found,
      'readers',
    ),
  ];
}

function startRows({ firstStartMs }: BenchPlatform, services: readonly string[], found: Rounds): Row[] {
  const about = { group: 'Start-up, from spawn to ready', unit: 'ms' } as const;
  return [
    ...services.map((name) => row({ ...about, name }, found, `start ${name}`)),
    row({ ...about, name: 'all services at once' }, found, 'start all'),
    { ...about, name: 'everything from nothing, schema and demo data included', ours: [finding(firstStartMs)] },
  ];
}
