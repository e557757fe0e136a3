import { type ServiceDefinition, trustedTokens } from '@lensforge/edge';
import { checkMasterKey } from '@lensforge/master-keys';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { GatewayEnvironment } from './environment.js';
import { GatewayModule } from './gateway.module.js';
import { servePages } from './pages/serve-pages.js';

export const apiGateway: ServiceDefinition<GatewayEnvironment> = {
  name: 'api-gateway',
  environment: GatewayEnvironment,
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
