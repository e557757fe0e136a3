import { RouteBehavior, Platform } from '@lensforge/edge';
import { endSessionByValue, revokeByValue } from '@lensforge/identity';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { readForm } from './form-bodies.js';
import { oauthRefusal } from './oauth-errors.js';
import { Protocol, given, needed } from './protocol.js';

/** RFC 7009: refresh and session tokens end their session, developer tokens end themselves. */
@Controller('id/revoke')
export class IdRevokeController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly protocol: Protocol,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteBehavior({ form: true, refusal: oauthRefusal })
  async revoke(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const ctx = await this.protocol.admit('token', request, reply);
    const form = readForm(request);
    const value = needed(form, 'token');
    const clientId = given(form, 'client_id') && (await this.protocol.readClient(ctx, form, 'platform')).id;
    await revokeByValue(ctx, { issuer: 'platform', value, clientId });
    const { environment } = this.platform;
    await endSessionByValue(ctx, { value, clientId, isOwnIssuer: (issuer) => environment.isOwnIssuer(issuer) });
  }
}
