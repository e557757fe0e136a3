import { type Context, DomainError } from '@lensforge/core';
import { RouteBehavior, Platform, callerAddress } from '@lensforge/edge';
import {
  type AccessToken,
  type SessionTokens,
  type SigningKeys,
  consoleClientId,
  exchangeCode,
  issueAccessToken,
  issueAnonymousToken,
  issueSessionTokens,
  oauthError,
  redeemDeviceGrant,
  refreshSession,
} from '@lensforge/identity';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { readForm } from './form-bodies.js';
import { grantTypes } from './grant-types.js';
import { platformIssuer } from './issuers.js';
import { Keys } from './keys.js';
import { oauthRefusal } from './oauth-errors.js';
import type { Parameters } from './pages/parameters.js';
import { Protocol, given, needed } from './protocol.js';
import { sessionAudience } from './resources.js';

interface TokenRequest {
  ctx: Context;
  request: FastifyRequest;
  form: Parameters;
}

/** The token endpoint of the platform issuer: session, developer and anonymous tokens. */
@Controller('id/token')
export class IdTokenController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly protocol: Protocol,
    private readonly keys: Keys,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteBehavior({ form: true, refusal: oauthRefusal })
  async token(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const ctx = await this.protocol.admit('token', request, reply);
    const form = readForm(request);
    const tokenRequest = { ctx, request, form };
    switch (needed(form, 'grant_type')) {
      case grantTypes.code:
        return this.forCode(tokenRequest);
      case grantTypes.refresh:
        return this.forRefreshToken(tokenRequest);
      case grantTypes.device:
        return this.forDevice(tokenRequest);
      case grantTypes.anonymous:
        return this.forAnonymous(tokenRequest);
      default:
        throw oauthError('unsupported_grant_type', `grant_type must be one of ${Object.values(grantTypes).join(', ')}`);
    }
  }

  private async forCode({ ctx, request, form }: TokenRequest): Promise<object> {
    const code = needed(form, 'code');
    const asked = given(form, 'resource');
    const audience = sessionAudience(this.platform.environment, request, asked);
    const client = await this.protocol.readClient(ctx, form, 'platform');
    const exchanged = await exchangeCode(ctx, {
      issuer: 'platform',
      code,
      clientId: client.id,
      redirectUri: needed(form, 'redirect_uri'),
      codeVerifier: needed(form, 'code_verifier'),
      resource: asked,
      address: callerAddress(request),
      userAgent: request.headers['user-agent'],
    });
    if (exchanged.issuer !== 'platform') throw new Error('a code of the platform was exchanged for something else');
    const agreed = audience ?? sessionAudience(this.platform.environment, request, exchanged.resource ?? undefined);
    const { sessionId } = exchanged;
    const order = { sessionId, ...(agreed && { audience: agreed }) };
    const keys = this.keysFor(request);
    // The console gets its next token by the session of the browser, and stores none.
    if (client.id === consoleClientId) return bearer(await issueAccessToken(ctx, keys, order));
    return pair(await issueSessionTokens(ctx, keys, order));
  }

  private async forRefreshToken({ ctx, request, form }: TokenRequest): Promise<object> {
    const refreshToken = needed(form, 'refresh_token');
    const audience = sessionAudience(this.platform.environment, request, given(form, 'resource'));
    const client = await this.protocol.readClient(ctx, form, 'platform');
    const order = { refreshToken, clientId: client.id, audience };
    return pair(await refreshSession(ctx, this.keysFor(request), order).catch(asGrantError));
  }

  private async forDevice({ ctx, form }: TokenRequest): Promise<object> {
    const deviceCode = needed(form, 'device_code');
    const client = await this.protocol.readClient(ctx, form, 'platform');
    const { accessToken, expiresIn, scopes } = await redeemDeviceGrant(ctx, { deviceCode, clientId: client.id });
    return { access_token: accessToken, token_type: 'bearer', expires_in: expiresIn, scope: scopes.join(' ') };
  }

  private async forAnonymous({ ctx, request, form }: TokenRequest): Promise<object> {
    const audience = sessionAudience(this.platform.environment, request, given(form, 'resource'));
    const clientId = given(form, 'client_id') && (await this.protocol.readClient(ctx, form, 'platform')).id;
    const order = { ...(clientId && { clientId }), ...(audience && { audience }) };
    return bearer(await issueAnonymousToken(ctx, this.keysFor(request), order));
  }

  /** Signing keys under the issuer that the metadata at this client's address names. */
  private keysFor(request: FastifyRequest): SigningKeys {
    return this.keys.signing.withIssuer(platformIssuer(this.platform.environment, request));
  }
}

const bearer = ({ accessToken, expiresIn }: AccessToken): object => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: expiresIn,
});

const pair = ({ refreshToken, ...token }: SessionTokens): object => ({
  ...bearer(token),
  refresh_token: refreshToken,
});

/** Translates a refusal of a refresh token into an OAuth error. */
function asGrantError(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'UNAUTHENTICATED') throw oauthError('invalid_grant', error.message);
  if (error.code === 'BAD_INPUT') throw oauthError('invalid_target', error.message);
  throw error;
}
