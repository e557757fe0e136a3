import type { Platform } from '@lensforge/edge';
import { callerAddress } from '@lensforge/edge';
import { User } from '@lensforge/identity';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from '../environment.js';
import { toolsIssuer } from '../issuers.js';
import type { Letter } from '../mail/letters.js';
import type { Mailer } from '../mail/mailer.js';
import { FormSeal } from './form-seal.js';
import { Visit } from './visit.js';

/** Takes requests for pages in. */
export class Visits {
  private readonly seal: FormSeal;

  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    readonly mailer: Mailer,
  ) {
    this.seal = new FormSeal(keyRing(readMasterKeys(platform.environment.LENSFORGE_MASTER_KEY)), platform.now);
  }

  /** How many tokens of each kind somebody may have. */
  get mostTokens(): number {
    return this.platform.environment.LENSFORGE_TOKENS_PER_ACCOUNT;
  }

  open(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const { database, environment, now } = this.platform;
    return Visit.open(request, reply, {
      ctx: { db: database.manager, now, requestId: request.id },
      seal: this.seal,
      base: toolsIssuer(environment, request),
      address: callerAddress(request),
    });
  }

  /** Sends a letter with a link to one of these pages, when the visitor has the answer already. */
  write(visit: Visit, to: string, letter: (link: string) => Letter, path: string): void {
    const link = this.mailBase(visit) + path;
    visit.afterwards(() => this.mailer.send({ to, letter: letter(link), link }));
  }

  /** The same to the address that a user has, which may be another mailbox than what was typed and compared as equal. */
  writeTo(visit: Visit, userId: string, letter: (link: string) => Letter, path: string): void {
    const link = this.mailBase(visit) + path;
    visit.afterwards(() => {
      this.platform.database.manager.findOneBy(User, { id: userId }).then(
        (user) => user?.email && this.mailer.send({ to: user.email, letter: letter(link), link }),
        (err: unknown) => this.platform.logger.warn({ err }, 'a mail could not be written'),
      );
    });
  }

  /** A mail goes to somebody else than who asked for it: it never names a place that a Host header brought up. */
  private mailBase(visit: Visit): string {
    const { LENSFORGE_PUBLIC_OAUTH_URL: own, LENSFORGE_PUBLIC_MCP_URL: front } = this.platform.environment;
    return (own ?? front ?? visit.base).replace(/\/+$/, '');
  }
}
