// Runs a lens every weekday at 07:30 in Berlin, by a workflow of one node, and prints the next times:
//   node examples/schedule/schedule.mjs LENS_ID
import { call } from '../api.mjs';

const [lensId] = process.argv.slice(2);
if (!lensId) throw new Error('Name a lens: node schedule.mjs LENS_ID');

const params = { Product: { $: 'inputs.product' }, Audience: { $: 'inputs.audience' } };
const graph = {
  nodes: [{ id: 'note', type: 'lens', settings: { lensId, params } }],
  edges: [],
  inputs: { type: 'object', properties: { product: { type: 'string' }, audience: { type: 'string' } } },
};
const { id: workflowId } = await call('POST', '/workflows', { title: 'Note of the morning', graph });
const schedule = await call('POST', `/workflows/${workflowId}/schedules`, {
  cron: '30 7 * * 1-5',
  timeZone: 'Europe/Berlin',
  inputs: { product: 'coffee', audience: 'early risers' },
  overlap: 'skip',
  missed: 'run_once',
});
console.log(JSON.stringify({ workflowId, ...schedule }, null, 2));
