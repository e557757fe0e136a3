import { scopes } from '@lensforge/contracts';
import { RouteBehavior, Platform, protectedResource } from '@lensforge/edge';
import { type PublishedKey, publishedKeys } from '@lensforge/identity';
import { Controller, Get, Header, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { grantTypes } from './grant-types.js';
import { platformBase, platformIssuer, toolServer, toolsIssuer } from './issuers.js';
import { oauthRefusal } from './oauth-errors.js';

const publicClientsOnly = {
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
} as const;

/** The metadata of the two issuers, and of the tool-call server that accepts the tokens of one of them. */
@Controller()
export class DiscoveryController {
  constructor(private readonly platform: Platform<OAuthEnvironment>) {}

  @Get('.well-known/oauth-authorization-server')
  @RouteBehavior({ refusal: oauthRefusal })
  tools(@Req() request: FastifyRequest): object {
    const issuer = toolsIssuer(this.platform.environment, request);
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      grant_types_supported: ['authorization_code'],
      scopes_supported: scopes,
      ...publicClientsOnly,
    };
  }

  @Get('.well-known/oauth-authorization-server/id')
  @RouteBehavior({ refusal: oauthRefusal })
  own(@Req() request: FastifyRequest): object {
    const base = platformBase(this.platform.environment, request);
    return {
      issuer: platformIssuer(this.platform.environment, request),
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      device_authorization_endpoint: `${base}/device_authorization`,
      revocation_endpoint: `${base}/revoke`,
      jwks_uri: `${base}/jwks.json`,
      grant_types_supported: Object.values(grantTypes),
      ...publicClientsOnly,
    };
  }

  @Get('.well-known/oauth-protected-resource')
  @RouteBehavior({ refusal: oauthRefusal })
  resources(@Req() request: FastifyRequest): object {
    return this.describe('/.well-known/oauth-protected-resource', request);
  }

  @Get('.well-known/oauth-protected-resource/mcp')
  @RouteBehavior({ refusal: oauthRefusal })
  tool(@Req() request: FastifyRequest): object {
    return this.describe('/.well-known/oauth-protected-resource/mcp', request);
  }

  @Get('id/jwks.json')
  @Header('cache-control', 'public, max-age=600')
  @RouteBehavior({ refusal: oauthRefusal })
  async keys(): Promise<{ keys: PublishedKey[] }> {
    return { keys: await publishedKeys({ db: this.platform.database.manager }) };
  }

  private describe(path: Parameters<typeof protectedResource>[0], request: FastifyRequest): object {
    const { environment } = this.platform;
    const resourceBase = toolServer(environment, request);
    return protectedResource(path, { resourceBase, issuer: toolsIssuer(environment, request) });
  }
}
