import { battleEntities } from '@lensforge/battles';
import { byokEntities } from '@lensforge/byok';
import { communityEntities } from '@lensforge/communities';
import { creditEntities } from '@lensforge/credits';
import { type ServiceDefinition, trustedTokens } from '@lensforge/edge';
import { identityEntities } from '@lensforge/identity';
import { lensEntities } from '@lensforge/lenses';
import { checkMasterKey } from '@lensforge/master-keys';
import { modelEntities } from '@lensforge/models';
import { runEntities } from '@lensforge/runs';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { webhookEntities } from '@lensforge/webhooks';
import { GatewayEnvironment } from './environment.js';
import { GatewayModule } from './gateway.module.js';
import { servePages } from './pages/serve-pages.js';

export const apiGateway: ServiceDefinition<GatewayEnvironment> = {
  name: 'api-gateway',
  environment: GatewayEnvironment,
  entities: [
    ...identityEntities,
    ...communityEntities,
    ...battleEntities,
    ...lensEntities,
    ...modelEntities,
    ...runEntities,
    ...creditEntities,
    ...byokEntities,
    ...webhookEntities,
  ],
  startCheck: ({ environment, database, name }) => {
    const ring = keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY));
    return checkMasterKey({ db: database.manager }, { setting: 'LENSFORGE_MASTER_KEY', ring, by: name });
  },
  module: (platform) => GatewayModule.on(platform),
  prepare: (http, { environment }) => servePages(http, environment.pageAddresses),
  tokens: ['developer', 'organisation', 'service'],
  displayName: 'the REST API',
  verifiers: (platform) => [trustedTokens(platform, 'lensforge:api')],
  rates: (environment) => ({
    ...environment.ratesPerMinute,
    incoming: environment.LENSFORGE_RATE_INCOMING_PER_MINUTE,
  }),
  replicas: (environment) => environment.LENSFORGE_REPLICAS_API_GATEWAY,
  publicUrl: (environment) => environment.LENSFORGE_PUBLIC_API_URL,
};
