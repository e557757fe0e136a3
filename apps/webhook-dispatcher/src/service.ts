import type { WorkerDefinition } from '@lensforge/edge';
import { webhookEntities } from '@lensforge/webhooks';
import { DispatcherModule } from './dispatcher.module.js';
import { DispatcherEnvironment } from './environment.js';

export const webhookDispatcher: WorkerDefinition<DispatcherEnvironment> = {
  name: 'webhook-dispatcher',
  environment: DispatcherEnvironment,
  entities: [...webhookEntities],
  module: (platform) => DispatcherModule.on(platform),
  queues: () => ({ 'platform-events': 100 }),
};
