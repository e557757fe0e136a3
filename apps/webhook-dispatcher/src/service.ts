import type { WorkerDefinition } from '@lensforge/edge';
import { checkMasterKey } from '@lensforge/master-keys';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { DispatcherModule } from './dispatcher.module.js';
import { DispatcherEnvironment } from './environment.js';

export const webhookDispatcher: WorkerDefinition<DispatcherEnvironment> = {
  name: 'webhook-dispatcher',
  environment: DispatcherEnvironment,
  startCheck: ({ environment, database, name }) => {
    const ring = keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY));
    return checkMasterKey({ db: database.manager }, { setting: 'LENSFORGE_MASTER_KEY', ring, by: name });
  },
  module: (platform) => DispatcherModule.on(platform),
  queues: () => ({ 'platform-events': 100 }),
};
