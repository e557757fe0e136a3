import { RouteBehavior, Platform } from '@lensforge/edge';
import { oauthError, registerClient } from '@lensforge/identity';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { registrationRefusal } from './oauth-errors.js';
import { Protocol } from './protocol.js';

/** Dynamic client registration (RFC 7591). Unknown metadata is ignored and not returned. */
@Controller('oauth/register')
export class RegisterController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly protocol: Protocol,
  ) {}

  @Post()
  @HttpCode(201)
  @RouteBehavior({ refusal: registrationRefusal })
  async register(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() metadata: unknown,
  ): Promise<object> {
    const ctx = await this.protocol.admit('register', request, reply);
    const { allowedSchemes } = this.platform.environment;
    const client = await registerClient(ctx, { ...readMetadata(metadata), allowedSchemes });
    return {
      client_id: client.id,
      client_name: client.name,
      redirect_uris: client.redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    };
  }
}

function readMetadata(metadata: unknown): { name?: string; redirectUris: string[] } {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw oauthError('invalid_client_metadata', 'The body must be a JSON object');
  }
  if (Object.hasOwn(metadata, '__proto__')) {
    throw oauthError('invalid_client_metadata', '__proto__ is a name that no member may have');
  }
  const { client_name: name, redirect_uris: uris } = metadata as Record<string, unknown>;
  if (name !== undefined && name !== null && typeof name !== 'string') {
    throw oauthError('invalid_client_metadata', 'client_name must be a string');
  }
  if (uris === undefined) {
    throw oauthError('invalid_redirect_uri', 'redirect_uris is missing: name at least one address');
  }
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    throw oauthError('invalid_redirect_uri', 'redirect_uris must be a list of strings');
  }
  return { ...(typeof name === 'string' && { name }), redirectUris: uris };
}
