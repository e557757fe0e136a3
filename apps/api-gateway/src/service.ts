import { byokEntities } from '@lensforge/byok';
import { communityEntities } from '@lensforge/communities';
import { creditEntities } from '@lensforge/credits';
import type { ServiceDefinition } from '@lensforge/edge';
import { trustedTokens } from '@lensforge/edge';
import { identityEntities } from '@lensforge/identity';
import { lensEntities } from '@lensforge/lenses';
import { runEntities } from '@lensforge/runs';
import { webhookEntities } from '@lensforge/webhooks';
import { GatewayEnvironment } from './environment.js';
import { GatewayModule } from './gateway.module.js';

export const apiGateway: ServiceDefinition<GatewayEnvironment> = {
  name: 'api-gateway',
  environment: GatewayEnvironment,
  entities: [
    ...identityEntities,
    ...communityEntities,
    ...lensEntities,
    ...runEntities,
    ...creditEntities,
    ...byokEntities,
    ...webhookEntities,
  ],
  module: (platform) => GatewayModule.on(platform),
  tokens: ['developer', 'organisation', 'service'],
  calledAs: 'the REST API',
  verifiers: (platform) => [trustedTokens(platform, 'lensforge:api')],
  rates: (environment) => ({
    execute: environment.LENSFORGE_RATE_EXECUTE_PER_MINUTE,
    run: environment.LENSFORGE_RATE_RUN_PER_MINUTE,
    list: environment.LENSFORGE_RATE_LIST_PER_MINUTE,
    incoming: environment.LENSFORGE_RATE_INCOMING_PER_MINUTE,
  }),
  replicas: (environment) => environment.LENSFORGE_REPLICAS_API_GATEWAY,
  publicUrl: (environment) => environment.LENSFORGE_PUBLIC_API_URL,
};
