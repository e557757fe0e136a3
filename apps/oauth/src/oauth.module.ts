import { type Platform, platformContext } from '@lensforge/edge';
import { ensureOwnClients, openSigningKeys } from '@lensforge/identity';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { type DynamicModule, Module } from '@nestjs/common';
import { AuditKeysController } from './audit-keys.controller.js';
import { signAuditHourly } from './audit-signer.js';
import { ConsoleSessionController } from './console-session.controller.js';
import { DeviceAuthorizationController } from './device-authorization.controller.js';
import { DiscoveryController } from './discovery.controller.js';
import type { OAuthEnvironment } from './environment.js';
import { IdRevokeController } from './id-revoke.controller.js';
import { IdTokenController } from './id-token.controller.js';
import { measureKeyAges } from './key-ages.js';
import { Keys } from './keys.js';
import { pageControllers, pageProviders } from './pages/pages.js';
import { Protocol } from './protocol.js';
import { RegisterController } from './register.controller.js';
import { startDeletingExpired } from './delete-expired.js';
import { ToolsTokenController } from './tools-token.controller.js';

@Module({})
export class OAuthModule {
  static async on(platform: Platform<OAuthEnvironment>): Promise<DynamicModule> {
    const { environment, database, metrics } = platform;
    await ensureOwnClients(platformContext(platform), {
      localdev: environment.localdevClient,
      consoleRedirectUris: environment.consoleRedirectUris,
    });
    startDeletingExpired(platform);
    const ring = keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY));
    signAuditHourly(platform, ring);
    measureKeyAges({ db: database.manager, registry: metrics.registry });
    const signing = await openSigningKeys({ db: database.manager, ring, issuer: environment.issuer });
    return {
      module: OAuthModule,
      controllers: [
        DiscoveryController,
        AuditKeysController,
        RegisterController,
        ToolsTokenController,
        IdTokenController,
        ConsoleSessionController,
        DeviceAuthorizationController,
        IdRevokeController,
        ...pageControllers,
      ],
      providers: [Protocol, { provide: Keys, useValue: new Keys(signing) }, ...pageProviders(platform)],
    };
  }
}
