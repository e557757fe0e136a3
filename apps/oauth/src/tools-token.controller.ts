import { scopes } from '@lensforge/contracts';
import { RouteBehavior, Platform, callerAddress } from '@lensforge/edge';
import { exchangeCode, oauthError, revokeByValue } from '@lensforge/identity';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { readForm } from './form-bodies.js';
import { oauthRefusal } from './oauth-errors.js';
import { Protocol, given, needed } from './protocol.js';
import { toolResource } from './resources.js';

/** The token and revocation endpoints of the tools' issuer. */
@Controller('oauth')
export class ToolsTokenController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly protocol: Protocol,
  ) {}

  @Post('token')
  @HttpCode(200)
  @RouteBehavior({ form: true, refusal: oauthRefusal })
  async token(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const ctx = await this.protocol.admit('token', request, reply);
    const form = readForm(request);
    if (needed(form, 'grant_type') !== 'authorization_code') {
      throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code');
    }
    const code = needed(form, 'code');
    const client = await this.protocol.readClient(ctx, form, 'tools');
    const exchanged = await exchangeCode(ctx, {
      issuer: 'tools',
      code,
      clientId: client.id,
      redirectUri: needed(form, 'redirect_uri'),
      codeVerifier: needed(form, 'code_verifier'),
      resource: toolResource(this.platform.environment, request, given(form, 'resource')),
      address: callerAddress(request),
      maxTokens: this.platform.environment.LENSFORGE_TOKENS_PER_ACCOUNT,
    });
    if (exchanged.issuer !== 'tools') throw new Error('a code of the tools was exchanged for something else');
    // The scopes of a token that has all are left out, as for a client that asked for none.
    const isLimited = scopes.some((scope) => !exchanged.scopes.includes(scope));
    return {
      access_token: exchanged.accessToken,
      token_type: 'bearer',
      ...(isLimited && { scope: exchanged.scopes.join(' ') }),
    };
  }

  @Post('revoke')
  @HttpCode(200)
  @RouteBehavior({ form: true, refusal: oauthRefusal })
  async revoke(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const ctx = await this.protocol.admit('token', request, reply);
    const form = readForm(request);
    const value = needed(form, 'token');
    const clientId = given(form, 'client_id') && (await this.protocol.readClient(ctx, form, 'tools')).id;
    await revokeByValue(ctx, { issuer: 'tools', value, clientId });
  }
}
