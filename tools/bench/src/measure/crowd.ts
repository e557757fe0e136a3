import { alternate, rowOf } from '../report/rounds.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const runs = 500;
const readersEach = 10;
const eventsEach = 12;

/** 5,000 readers, ten on each of 500 live runs. */
export const measureCrowd: Measure = async (setup, { rounds }) => {
  await setup.workers(0);
  const { databaseUrl, redisUrl } = setup.platform;
  const found = await alternate(Math.min(rounds, 3), async (side) => {
    const subject = setup.subjects[side];
    await setup.clear();
    const { ids } = await setup.load.carryOut({
      kind: 'fixedCount',
      call: subject.accept(),
      connections: 8,
      count: runs,
    });
    const taken: Awaited<ReturnType<typeof subject.takeOver>>[] = [];
    for (const id of ids) taken.push(await subject.takeOver(id));
    const { outcome, cores } = await watched(setup, () =>
      setup.load.carryOut({
        kind: 'crowd',
        stream: subject.stream(),
        readersEach,
        eventsEach,
        databaseUrl,
        redisUrl,
        commit: taken[0]?.commit ?? '',
        live: taken.map(({ id, after, channel }) => ({ id, after, channel })),
      }),
    );
    if (outcome.lost > 0) throw new Error(`${outcome.lost} events did not reach a reader, or not in order`);
    return { delivered: finding(outcome.delivered / (outcome.ms / 1000), cores) };
  });
  const group = 'Events delivered a second, all readers of all runs together (limit of streams per account raised)';
  return [rowOf({ group, name: `${runs * readersEach} readers on ${runs} live runs`, unit: '/s' }, found, 'delivered')];
};
