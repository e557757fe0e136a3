import { type Command, limitOption } from '../command.js';
import { fields, time } from '../layout.js';

const list: Command = {
  name: 'incoming ls',
  summary: 'List incoming webhooks, with the reason of a suspension',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.incomingWebhooks.list({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['name', ({ name }) => name],
        ['workflow', ({ workflowId }) => workflowId],
        ['enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
        ['suspended', ({ suspendedReason }) => suspendedReason],
        ['updated', ({ updatedAt }) => time(updatedAt)],
      ],
      'There are no incoming webhooks',
    );
  },
};

const takeOver: Command = {
  name: 'incoming take-over',
  summary: 'Give an incoming webhook your rights and a new secret, which is shown once, and end its suspension',
  args: ['id'],
  async run(session, input) {
    const webhook = await session.client.incomingWebhooks.takeOver(input.arg('id'), session.call);
    session.terminal.message('Store the secret: it is not shown again, and the old one is invalid');
    session.show(webhook, () => fields({ id: webhook.id, secret: webhook.secret }));
  },
};

export const incomingCommands: readonly Command[] = [list, takeOver];
