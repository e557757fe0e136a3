import type { shapes } from '@lensforge/sdk';

export const eventTypes: readonly shapes.WebhookEndpointReply['events'][number][] = [
  'run.completed',
  'run.failed',
  'battle.completed',
  'experiment.completed',
  'label.returned',
  'run.scored',
  'lens.published',
  'member.joined',
];

export const deliveryStates: readonly shapes.WebhookDeliveryItem['state'][] = [
  'pending',
  'sending',
  'delivered',
  'exhausted',
  'canceled',
];
