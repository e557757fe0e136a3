import type { ServiceDefinition } from '@lensforge/edge';
import { checkMasterKey } from '@lensforge/master-keys';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { OAuthEnvironment } from './environment.js';
import { acceptForms } from './form-bodies.js';
import { OAuthModule } from './oauth.module.js';
import { openToOrigins } from './open-to-origins.js';
import { answerFaultsWithPages } from './pages/page-routes.js';

export const oauth: ServiceDefinition<OAuthEnvironment> = {
  name: 'oauth',
  environment: OAuthEnvironment,
  startCheck: ({ environment, database, name }) => {
    const ring = keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY));
    return checkMasterKey({ db: database.manager }, { setting: 'LENSFORGE_MASTER_KEY', ring, by: name });
  },
  module: (platform) => OAuthModule.on(platform),
  prepare: (http) => {
    acceptForms(http);
    openToOrigins(http);
    answerFaultsWithPages(http);
  },
  rates: (environment) => ({
    sign_in: environment.LENSFORGE_RATE_SIGN_IN_PER_MINUTE,
    register: environment.LENSFORGE_RATE_REGISTER_PER_MINUTE,
    token: environment.LENSFORGE_RATE_TOKEN_PER_MINUTE,
  }),
  replicas: (environment) => environment.LENSFORGE_REPLICAS_OAUTH,
  publicUrl: (environment) => environment.LENSFORGE_PUBLIC_OAUTH_URL,
};
