import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { listen, newSecret } from '../listen.js';
import { fields, time } from '../layout.js';
import { needed } from '../session.js';

const eventTypes = [
  'run.completed',
  'run.failed',
  'battle.completed',
  'experiment.completed',
  'label.returned',
  'run.scored',
  'lens.published',
  'member.joined',
] as const;
type EventType = (typeof eventTypes)[number];

function eventsIn(text: string): EventType[] {
  const named = text.split(',').map((each) => each.trim());
  const unknown = named.find((each) => !eventTypes.some((type) => type === each));
  if (unknown !== undefined) throw new UsageFault(`There is no event ${unknown}; events are ${eventTypes.join(', ')}`);
  return named as EventType[];
}

const listenCommand: Command = {
  name: 'webhooks listen',
  summary: 'Forward events of the account to a program on this computer',
  options: {
    'forward-to': { value: 'url', summary: 'the address that gets the deliveries' },
    events: { value: 'list', summary: 'the types to forward, separated by commas' },
    'print-secret': { summary: 'print the signing secret and end' },
  },
  async run(session, input) {
    const { store, profileName, profile } = session;
    const secret = profile.webhookSecret ?? newSecret();
    if (profile.webhookSecret === undefined) await store.change(profileName, { webhookSecret: secret });
    if (input.flag('print-secret')) {
      session.show({ secret }, () => secret);
      return;
    }
    const forwardTo = needed(input, 'forward-to', 'http://127.0.0.1:3000/webhooks');
    if (!URL.canParse(forwardTo)) throw new UsageFault(`--forward-to: "${forwardTo}" is not an address`);
    const types = input.text('events');
    await listen(session, { forwardTo, secret, types: types === undefined ? undefined : eventsIn(types) });
  },
};

const list: Command = {
  name: 'webhooks ls',
  summary: 'List webhook endpoints',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.webhookEndpoints.list({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['url', ({ url }) => url],
        ['events', ({ events }) => events.join(',')],
        ['enabled', ({ enabled, disabledReason }) => (enabled ? 'yes' : `no (${disabledReason ?? '-'})`)],
        ['suspended', ({ suspendedReason }) => suspendedReason],
      ],
      'There are no webhook endpoints',
    );
  },
};

const create: Command = {
  name: 'webhooks create',
  summary: 'Register a webhook endpoint; its secret is shown once',
  args: ['url'],
  options: {
    events: { value: 'list', summary: 'the types to deliver, separated by commas' },
    description: { value: 'text', summary: 'a description for lists' },
  },
  async run(session, input) {
    const events = eventsIn(needed(input, 'events', 'run.completed,run.failed'));
    const description = input.text('description');
    const body = { url: input.arg('url'), events, ...(description !== undefined && { description }) };
    const endpoint = await session.client.webhookEndpoints.create(body, session.call);
    session.terminal.message('Store the secret: it is not shown again');
    session.show(endpoint, () => fields({ id: endpoint.id, secret: endpoint.secret }));
  },
};

const test: Command = {
  name: 'webhooks test',
  summary: 'Send a test event to an endpoint',
  args: ['id'],
  options: { event: { value: 'type', oneOf: eventTypes, summary: 'the type of the event, with example data' } },
  async run(session, input) {
    const event = input.text('event') as EventType | undefined;
    const sent = await session.client.webhookEndpoints.test(input.arg('id'), event ? { event } : {}, session.call);
    session.show(sent, () => `Queued the delivery ${sent.deliveryId}`);
  },
};

const deliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'List the deliveries to an endpoint, or show one with its attempts',
  args: ['id', '[delivery]'],
  options: limitOption,
  async run(session, input) {
    const { webhookEndpoints } = session.client;
    const delivery = input.optionalArg('delivery');
    if (delivery !== undefined) {
      const found = await webhookEndpoints.getDelivery(input.arg('id'), delivery, session.call);
      session.show(found, () => JSON.stringify(found, null, 2));
      return;
    }
    await session.showList<shapes.WebhookDeliveryItem>(
      (limit) => webhookEndpoints.listDeliveries(input.arg('id'), { limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['event', ({ event }) => event],
        ['state', ({ state }) => state],
        ['tries', ({ tries }) => tries],
        ['status', ({ lastStatus, lastError }) => lastStatus ?? lastError],
        ['created', ({ createdAt }) => time(createdAt)],
      ],
      'There are no deliveries',
    );
  },
};

const redeliver: Command = {
  name: 'webhooks redeliver',
  summary: 'Send a delivery again',
  args: ['id', 'delivery'],
  async run(session, input) {
    const { client, call } = session;
    const delivery = await client.webhookEndpoints.redeliver(input.arg('id'), input.arg('delivery'), call);
    session.show(delivery, () => `${delivery.id} is ${delivery.state}`);
  },
};

const takeOver: Command = {
  name: 'webhooks take-over',
  summary: 'Become the creator of an endpoint, enable it and replace its secret; the new one is shown once',
  args: ['id'],
  async run(session, input) {
    const endpoint = await session.client.webhookEndpoints.takeOver(input.arg('id'), session.call);
    session.terminal.message('Store the secret: it is not shown again, and the old one signs nothing any more');
    session.show(endpoint, () => fields({ id: endpoint.id, secret: endpoint.secret }));
  },
};

export const webhookCommands: readonly Command[] = [listenCommand, list, create, test, deliveries, redeliver, takeOver];
