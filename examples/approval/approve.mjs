// A workflow that writes a note and waits for the decision of a person, which this program asks for on the terminal:
//   node examples/approval/approve.mjs LENS_ID
import { createInterface } from 'node:readline/promises';
import { call, ended, pickText } from '../api.mjs';

const [lensId] = process.argv.slice(2);
if (!lensId) throw new Error('Name a lens: node approve.mjs LENS_ID');

const graph = {
  nodes: [
    { id: 'write', type: 'lens', settings: { lensId, params: { Product: 'a kettle', Audience: 'campers' } } },
    {
      id: 'ask',
      type: 'approval',
      settings: { message: 'Publish this?', data: { text: { $: 'nodes.write.output.text' } }, onReject: 'continue' },
    },
    { id: 'outcome', type: 'transform', settings: { expression: '"The note was " + nodes.ask.output.decision' } },
  ],
  edges: [
    { from: 'write', to: 'ask' },
    { from: 'ask', to: 'outcome' },
  ],
  outputs: { outcome: 'nodes.outcome.output' },
};
const { id: workflowId } = await call('POST', '/workflows', { title: 'Note with an approval', graph });
const { runId } = await call('POST', `/workflows/${workflowId}/run`, { inputs: {} });

let approval;
while (!approval) {
  [approval] = await call('GET', `/runs/${runId}/approvals`);
  await new Promise((resolve) => setTimeout(resolve, 200));
}
console.log(approval.data.text);
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const answer = await terminal.question(`${approval.message} (yes or no) `);
terminal.close();
const decision = /^y/i.test(answer) ? 'approve' : 'reject';
await call('POST', `/runs/${runId}/approvals/${approval.id}`, { decision });
const run = await ended(runId);
console.log(pickText(run));
process.exitCode = run.status === 'succeeded' ? 0 : 1;
