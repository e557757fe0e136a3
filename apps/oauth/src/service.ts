import type { ServiceDefinition } from '@lensforge/edge';
import { PlatformEnvironment } from '@lensforge/edge';
import { identityEntities } from '@lensforge/identity';
import { OAuthModule } from './oauth.module.js';

export const oauth: ServiceDefinition<PlatformEnvironment> = {
  name: 'oauth',
  environment: PlatformEnvironment,
  entities: identityEntities,
  module: OAuthModule,
  publicUrl: (environment) => environment.LENSFORGE_PUBLIC_OAUTH_URL,
};
