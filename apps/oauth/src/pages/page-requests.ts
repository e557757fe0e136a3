import { type Platform, type RateLimits, callerAddress, networkSubject, tooMany } from '@lensforge/edge';
import { type SignedIn, User } from '@lensforge/identity';
import { type KeyRing, keyRing, readMasterKeys } from '@lensforge/vault';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from '../environment.js';
import { toolsIssuer } from '../issuers.js';
import type { MailText } from '../mail/mails.js';
import type { Mailer } from '../mail/mailer.js';
import { FormSeal } from './form-seal.js';
import { type PageContext, PageRequest, readSession } from './page-request.js';

/** Opens page requests and sends their mails. */
export class PageRequests {
  /** Seals the secrets of authenticator apps. */
  readonly ring: KeyRing;
  private readonly seal: FormSeal;

  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly rates: RateLimits,
    readonly mailer: Mailer,
  ) {
    this.ring = keyRing(readMasterKeys(platform.environment.LENSFORGE_MASTER_KEY));
    this.seal = new FormSeal(this.ring, platform.now);
  }

  /** The developer tokens, and tokens of tools, that a person can have. */
  get maxTokens(): number {
    return this.platform.environment.LENSFORGE_TOKENS_PER_ACCOUNT;
  }

  get consoleUrl(): string | undefined {
    return this.platform.environment.consoleUrl;
  }

  /** Counts a form for its network before any look-up. */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<PageRequest> {
    if (request.method === 'POST') {
      const allowance = await this.rates.take('sign_in', networkSubject(request));
      if (!allowance.allowed) throw tooMany(allowance);
    }
    return PageRequest.open(request, reply, this.around(request));
  }

  /** The session of the browser that sends a request. */
  readPageSession(request: FastifyRequest): Promise<SignedIn | undefined> {
    return readSession(request, this.around(request));
  }

  /** Sends a mail with a link to one of these pages, after the response. */
  sendMail(page: PageRequest, to: string, letter: (link: string) => MailText, path: string): void {
    const link = this.mailBase(page) + path;
    page.afterResponse(() => this.mailer.send({ to, letter: letter(link), link }));
  }

  /** The same to the stored address of a user, which may differ from the typed one in case. */
  sendMailToUser(page: PageRequest, userId: string, letter: (link: string) => MailText, path: string): void {
    const link = this.mailBase(page) + path;
    page.afterResponse(() => {
      this.platform.database.manager.findOneBy(User, { id: userId }).then(
        (user) => user?.email && this.mailer.send({ to: user.email, letter: letter(link), link }),
        (err: unknown) => this.platform.logger.warn({ err }, 'a mail could not be written'),
      );
    });
  }

  private around(request: FastifyRequest): PageContext {
    const { database, environment, now } = this.platform;
    return {
      ctx: { db: database.manager, now, requestId: request.id },
      seal: this.seal,
      base: toolsIssuer(environment, request),
      address: callerAddress(request),
    };
  }

  /** The base of links in mails: configured addresses first, since a Host header could be forged. */
  private mailBase(page: PageRequest): string {
    const { LENSFORGE_PUBLIC_OAUTH_URL: own, LENSFORGE_PUBLIC_MCP_URL: front } = this.platform.environment;
    return (own ?? front ?? page.base).replace(/(?<!\/)\/+$/, '');
  }
}
