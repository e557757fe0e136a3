import { alternate, rowOf } from '../report/rounds.js';
import type { Row } from '../report/row.js';
import { spreadOf } from '../report/percentile.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

/** With more readers, fewer events are in flight for each, so that no reader is disconnected as too slow. */
const crowds = [
  { readers: 1, window: 256, batch: 64 },
  { readers: 100, window: 64, batch: 16 },
  { readers: 1000, window: 16, batch: 4 },
];

export const measureFanOut: Measure = async (setup, { rounds, seconds }) => {
  await setup.workers(0);
  const { databaseUrl, redisUrl } = setup.platform;
  const found = await alternate(rounds, async (side) => {
    const subject = setup.subjects[side];
    const sample: Record<string, ReturnType<typeof finding>> = {};
    let lost = 0;
    for (const crowd of crowds) {
      await setup.clear();
      const { ids } = await setup.load.carryOut({
        kind: 'fixedCount',
        call: subject.accept(),
        connections: 1,
        count: 1,
      });
      const [id = ''] = ids;
      const writer = { databaseUrl, redisUrl, ...(await subject.takeOver(id)) };
      const call = subject.stream();
      const stream = { ...call, path: call.path.replace('{id}', id) };
      const { outcome, cores } = await watched(setup, () =>
        setup.load.carryOut({ kind: 'fan-out', stream, ...crowd, ms: seconds * 1000, writer }),
      );
      sample[`${crowd.readers}`] = finding(outcome.delivered / (outcome.ms / 1000), cores);
      lost += outcome.lost;
    }
    return { ...sample, lost: finding(lost) };
  });
  const group = 'Events delivered a second, all readers of one run together (limit of streams per account raised)';
  const rows: Row[] = crowds.map(({ readers }) =>
    rowOf({ group, name: `${readers} ${readers === 1 ? 'reader' : 'readers'}`, unit: '/s' }, found, `${readers}`),
  );
  const { max } = spreadOf(found.ours.map(({ lost }) => lost?.value ?? 0));
  if (max > 0) throw new Error(`up to ${max} events did not reach a reader`);
  return rows;
};
