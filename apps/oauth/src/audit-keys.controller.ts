import { RouteBehavior, Platform } from '@lensforge/edge';
import { type PublishedKey, publishedAuditKeys } from '@lensforge/identity';
import { Controller, Get, Header } from '@nestjs/common';
import type { OAuthEnvironment } from './environment.js';
import { oauthRefusal } from './oauth-errors.js';

/** The public keys that verify signed statements about the audit log; they verify no tokens. */
@Controller()
export class AuditKeysController {
  constructor(private readonly platform: Platform<OAuthEnvironment>) {}

  @Get('id/audit-keys.json')
  @Header('cache-control', 'public, max-age=600')
  @RouteBehavior({ refusal: oauthRefusal })
  async keys(): Promise<{ keys: PublishedKey[] }> {
    return { keys: await publishedAuditKeys({ db: this.platform.database.manager }) };
  }
}
