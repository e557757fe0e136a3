import { HttpFault, Platform, RouteBehavior } from '@lensforge/edge';
import { consoleClientId, endSession, issueAccessToken } from '@lensforge/identity';
import { Controller, Delete, HttpCode, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { platformIssuer } from './issuers.js';
import { Keys } from './keys.js';
import { oauthRefusal } from './oauth-errors.js';
import { endOfSessionHeaders } from './pages/page-headers.js';
import { PageRequests } from './pages/page-requests.js';
import { Protocol } from './protocol.js';

/** A header that a page of another origin cannot send without a preflight, which only the console passes. */
const consoleHeader = 'x-lensforge-console';

/**
 * Gives the console an access token for the session of its browser, so that the console stores no token. Only the origins
 * of its redirect URIs are served.
 */
@Controller('id/console-session')
export class ConsoleSessionController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly protocol: Protocol,
    private readonly pages: PageRequests,
    private readonly keys: Keys,
  ) {}

  @Options()
  @HttpCode(204)
  preflight(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    this.admitOrigin(request, reply);
    reply.headers({
      'access-control-allow-methods': 'POST, DELETE',
      'access-control-allow-headers': consoleHeader,
      'access-control-max-age': '7200',
    });
  }

  @Post()
  @HttpCode(200)
  @RouteBehavior({ refusal: oauthRefusal })
  async token(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    this.admit(request, reply);
    const ctx = await this.protocol.admit('token', request, reply);
    const here = await this.pages.readPageSession(request);
    // No error, which a browser would report, since a console begins with this question.
    if (!here) {
      void reply.code(204);
      return undefined;
    }
    const keys = this.keys.signing.withIssuer(platformIssuer(this.platform.environment, request));
    const order = { sessionId: here.session.id, audience: ['lensforge:api'], clientId: consoleClientId } as const;
    const { accessToken, expiresIn } = await issueAccessToken(ctx, keys, order);
    return { access_token: accessToken, token_type: 'bearer', expires_in: expiresIn };
  }

  @Delete()
  @HttpCode(204)
  @RouteBehavior({ refusal: oauthRefusal })
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    this.admit(request, reply);
    const ctx = await this.protocol.admit('token', request, reply);
    const here = await this.pages.readPageSession(request);
    if (here) await endSession(ctx, here.session.id);
    reply.headers(endOfSessionHeaders);
  }

  private admit(request: FastifyRequest, reply: FastifyReply): void {
    this.admitOrigin(request, reply);
    if (request.headers[consoleHeader] === undefined)
      throw new HttpFault(400, 'invalid_request', `The header ${consoleHeader} is missing`);
  }

  private admitOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
    reply.headers({ vary: 'origin', 'cache-control': 'no-store' });
    const allowed = this.platform.environment.consoleRedirectUris.map((uri) => new URL(uri).origin);
    if (origin === undefined || !allowed.includes(origin))
      throw new HttpFault(403, 'forbidden', 'Only the console may ask for tokens of browser sessions');
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
  }
}
