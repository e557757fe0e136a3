import { setTimeout as pause } from 'node:timers/promises';
import { alternate, rowOf } from '../report/rounds.js';
import type { Finding, Row, Side } from '../report/row.js';
import type { BaselineName } from '../setup/baseline-programs.js';
import { residentMegabytes } from '../setup/process-figures.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding } from './measured.js';
import type { Measure } from './part.js';

const readers = 1000;
const settleMs = 3000;
const counterparts: Readonly<Record<string, BaselineName>> = { 'api-gateway': 'api', 'run-worker': 'worker' };

/** Figures of fresh processes: start-up time, then memory. */
export const measureFresh =
  (wanted: { start: boolean; memory: boolean }): Measure =>
  async (setup, { rounds }) => {
    const services = serviceNames(setup);
    const loaded = await loadedMemory(setup, services);
    await setup.workers(1);
    const found = await alternate(rounds, async (side) => {
      await setup.clear();
      const sample = side === 'ours' ? await restartOurs(setup, services) : await restartBaseline(setup);
      if (wanted.memory) Object.assign(sample, await memoryOf(setup, side, services));
      return sample;
    });
    return [
      ...(wanted.memory ? memoryRows(services, found, loaded) : []),
      ...(wanted.start ? startRows(setup, services, found) : []),
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
  const sample: Found = {};
  await Promise.all(services.map((name) => platform.hold(name)));
  sample['start all'] = await timed(() => Promise.all(services.map((name) => platform.resume(name))));
  for (const name of services) {
    await platform.hold(name);
    sample[`start ${name}`] = await timed(() => platform.resume(name));
  }
  return sample;
}

async function restartBaseline({ baseline }: BenchPlatform): Promise<Found> {
  const sample: Found = {};
  for (const [service, name] of Object.entries(counterparts)) {
    await baseline.stop(name);
    sample[`start ${service}`] = await timed(() => baseline.start(name));
  }
  return sample;
}

async function memoryOf(setup: BenchPlatform, side: Side, services: readonly string[]): Promise<Found> {
  const sample: Found = {};
  const names = side === 'ours' ? services : Object.keys(counterparts);
  await pause(settleMs);
  for (const name of names) sample[`idle ${name}`] = finding(await residentOf(setup, side, name));
  const streams = await streamsToHold(setup, side);
  // The first requests load code and open connections, a cost that does not depend on the number of readers.
  await setup.load.carryOut({ kind: 'hold-readers', streams: streams.slice(0, 100) });
  await setup.load.carryOut({ kind: 'let-go' });
  await pause(500);
  const before = await residentOf(setup, side, 'api-gateway');
  await setup.load.carryOut({ kind: 'hold-readers', streams });
  await pause(settleMs);
  sample['readers'] = finding((await residentOf(setup, side, 'api-gateway')) - before);
  await setup.load.carryOut({ kind: 'let-go' });
  return sample;
}

/** Each reader has its own run, which is more expensive than a thousand readers of one run. */
async function streamsToHold(setup: BenchPlatform, side: Side) {
  const subject = setup.subjects[side];
  await subject.queue.pause();
  const { ids } = await setup.load.carryOut({
    kind: 'fixedCount',
    call: subject.accept(),
    connections: 8,
    count: readers,
  });
  const call = subject.stream();
  return ids.map((id) => ({ ...call, path: call.path.replace('{id}', id) }));
}

function residentOf({ platform, baseline }: BenchPlatform, side: Side, service: string): Promise<number> {
  if (side === 'baseline') return residentMegabytes(baseline.pidOf(counterparts[service] ?? 'api'));
  return residentMegabytes(platform.pidOf(service) ?? 0);
}

/** The memory of the processes after all previous measurements. */
async function loadedMemory(setup: BenchPlatform, services: readonly string[]): Promise<Row[]> {
  const group = 'Memory, resident';
  const served = services.filter((name) => setup.platform.pidOf(name) !== undefined);
  return Promise.all(
    served.map(async (name): Promise<Row> => {
      const ours = [finding(await residentOf(setup, 'ours', name))];
      const baseline = counterparts[name] ? [finding(await residentOf(setup, 'baseline', name))] : undefined;
      return {
        group,
        name: `${name}, after what was measured before`,
        unit: 'MB',
        ours,
        ...(baseline && { baseline }),
      };
    }),
  );
}

type Rounds = Awaited<ReturnType<typeof alternate>>;

const row = (about: Omit<Row, 'ours' | 'baseline'>, found: Rounds, key: string): Row =>
  found.baseline.some((sample) => sample[key])
    ? rowOf(about, found, key)
    : { ...about, ours: found.ours.flatMap((sample) => sample[key] ?? []) };

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
