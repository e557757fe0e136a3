import type { Platform, RateLimits } from '@lensforge/edge';
import { callerAddress, networkSubject, tooMany } from '@lensforge/edge';
import { User } from '@lensforge/identity';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from '../environment.js';
import { toolsIssuer } from '../issuers.js';
import type { Letter } from '../mail/letters.js';
import type { Mailer } from '../mail/mailer.js';
import { FormSeal } from './form-seal.js';
import { PageRequest } from './page-request.js';

/** Takes requests for pages in. */
export class PageRequests {
  private readonly seal: FormSeal;

  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly limits: RateLimits,
    readonly mailer: Mailer,
  ) {
    this.seal = new FormSeal(keyRing(readMasterKeys(platform.environment.LENSFORGE_MASTER_KEY)), platform.now);
  }

  /** How many tokens of each kind somebody may have. */
  get mostTokens(): number {
    return this.platform.environment.LENSFORGE_TOKENS_PER_ACCOUNT;
  }

  /** Forms are counted for the network that they come from, before anything is looked up for them. */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<PageRequest> {
    if (request.method === 'POST') {
      const allowance = await this.limits.take('sign_in', networkSubject(request));
      if (!allowance.allowed) throw tooMany(allowance);
    }
    const { database, environment, now } = this.platform;
    return PageRequest.open(request, reply, {
      ctx: { db: database.manager, now, requestId: request.id },
      seal: this.seal,
      base: toolsIssuer(environment, request),
      address: callerAddress(request),
    });
  }

  /** Sends a letter with a link to one of these pages, when the visitor has the answer already. */
  write(visit: PageRequest, to: string, letter: (link: string) => Letter, path: string): void {
    const link = this.mailBase(visit) + path;
    visit.afterwards(() => this.mailer.send({ to, letter: letter(link), link }));
  }

  /** The same to the address that a user has, which may be another mailbox than what was typed and compared as equal. */
  writeTo(visit: PageRequest, userId: string, letter: (link: string) => Letter, path: string): void {
    const link = this.mailBase(visit) + path;
    visit.afterwards(() => {
      this.platform.database.manager.findOneBy(User, { id: userId }).then(
        (user) => user?.email && this.mailer.send({ to: user.email, letter: letter(link), link }),
        (err: unknown) => this.platform.logger.warn({ err }, 'a mail could not be written'),
      );
    });
  }

  /** A mail goes to somebody else than who asked for it: it never names a place that a Host header brought up. */
  private mailBase(visit: PageRequest): string {
    const { LENSFORGE_PUBLIC_OAUTH_URL: own, LENSFORGE_PUBLIC_MCP_URL: front } = this.platform.environment;
    return (own ?? front ?? visit.base).replace(/\/+$/, '');
  }
}
