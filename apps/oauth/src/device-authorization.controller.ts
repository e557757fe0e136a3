import { RouteBehavior, Platform } from '@lensforge/edge';
import { cliClientId, oauthError, startDeviceGrant } from '@lensforge/identity';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { readForm } from './form-bodies.js';
import { platformBase } from './issuers.js';
import { oauthRefusal } from './oauth-errors.js';
import { Protocol, given } from './protocol.js';

/** Device authorization (RFC 8628). A client may also send `label` and `ttl` in days for its token. */
@Controller('id/device_authorization')
export class DeviceAuthorizationController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly protocol: Protocol,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteBehavior({ form: true, refusal: oauthRefusal })
  async start(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const ctx = await this.protocol.admit('register', request, reply);
    const form = readForm(request);
    const client = await this.protocol.readClient(ctx, form, 'platform');
    if (client.id !== cliClientId)
      throw oauthError('unauthorized_client', 'This client must use the authorization code flow');
    const started = await startDeviceGrant(ctx, {
      clientId: client.id,
      label: given(form, 'label'),
      days: parseDays(given(form, 'ttl')),
      scope: given(form, 'scope'),
    });
    const place = `${platformBase(this.platform.environment, request)}/device`;
    return {
      device_code: started.deviceCode,
      user_code: started.userCode,
      verification_uri: place,
      verification_uri_complete: `${place}?user_code=${started.userCode}`,
      expires_in: started.expiresIn,
      interval: started.interval,
    };
  }
}

/** Passes anything but a whole number on: the use case knows the range and refuses it. */
const parseDays = (ttl: string | undefined): number | undefined =>
  ttl === undefined ? undefined : /^\d{1,6}$/.test(ttl) ? Number(ttl) : NaN;
