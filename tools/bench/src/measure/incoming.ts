import type { Call } from '../load/connection.js';
import { alternate, rowOf } from '../report/rounds.js';
import { callApi } from '../setup/call-api.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connections = 32;
const warmMs = 400;

/** Calls of an incoming webhook, each of which starts a workflow, against executions of a lens by the same gateway. */
export const measureIncoming: Measure = async (setup, { rounds, seconds }) => {
  await setup.workers(0);
  const { id: workflowId } = await callApi<{ id: string }>(setup.platform, 'POST', '/v1/workflows', { title: 'Bench' });
  const { id, secret } = await callApi<{ id: string; secret: string }>(
    setup.platform,
    'POST',
    '/v1/incoming-webhooks',
    { workflowId, name: 'Bench' },
  );
  const execute = setup.subjects.ours.accept();
  const incoming: Call = {
    port: execute.port,
    method: 'POST',
    path: `/v1/webhooks/${id}`,
    headers: { 'x-webhook-secret': secret },
    body: JSON.stringify({ params: {} }),
  };
  const found = await alternate(rounds, async (side) => {
    await setup.clear();
    const call = side === 'ours' ? incoming : execute;
    const { outcome, cores } = await watched(setup, () =>
      setup.load.carryOut({ kind: 'closed', call, connections, warmMs, ms: seconds * 1000 }),
    );
    return { accepted: finding(outcome.answered / (outcome.ms / 1000), cores) };
  });
  return [
    rowOf(
      {
        group: 'Incoming webhooks accepted a second (baseline: executions of a lens)',
        name: `${connections} connections`,
        unit: '/s',
      },
      found,
      'accepted',
    ),
  ];
};
