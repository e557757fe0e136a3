import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { time } from '../layout.js';

const list: Command = {
  name: 'proposal ls',
  summary: 'List the moves of labels that wait for a second person',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.labelProposals.list({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['of', ({ title }) => title ?? ''],
        ['label', ({ label }) => label],
        ['from', ({ before }) => before ?? ''],
        ['to', ({ version }) => version],
        ['yours to decide', ({ canDecide }) => (canDecide ? 'yes' : 'no')],
        ['proposed', ({ proposedAt }) => time(proposedAt)],
      ],
      'No move of a label waits',
    );
  },
};

const decide: Command = {
  name: 'proposal decide',
  summary: 'Approve or decline a move of a label; needs a session (login --web)',
  args: ['id', 'decision'],
  options: { comment: { value: 'text', summary: 'why' } },
  async run(session, input) {
    const decision = input.arg('decision');
    if (decision !== 'approve' && decision !== 'decline') {
      throw new UsageFault(`"${decision}" is no decision`, 'Write: lensforge proposal decide <id> approve, or decline');
    }
    const comment = input.text('comment');
    const body: shapes.LabelProposalDecision = { decision, ...(comment !== undefined && { comment }) };
    const proposal = await session.client.labelProposals.decide(input.arg('id'), body, session.call);
    session.show(proposal, () => `The move of ${proposal.label} is ${proposal.status}`);
  },
};

export const proposalCommands: readonly Command[] = [list, decide];
