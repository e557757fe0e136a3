import { createHash } from 'node:crypto';
import { scopes } from '@lensforge/contracts';
import { type Actor, type Context, DomainError, newId } from '@lensforge/core';
import {
  type PasskeyChallenge,
  type SignedIn,
  type User,
  endSession,
  findBrowserSession,
  openSession,
  passkeySite,
} from '@lensforge/identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, cookieName, readCookie, setCookie } from './cookies.js';
import { type FormOwner, type FormPurpose, type FormSeal, newVisitId } from './form-seal.js';
import { csrfField } from './form.js';
import { type PageText, layout } from './layout.js';
import { FormRefused } from './page-faults.js';
import { endOfSessionHeaders, pageHeaders, passkeyPageHeaders } from './page-headers.js';
import { Parameters } from './parameters.js';
import { ownPath } from './return-to.js';
import { isOwnPost } from './same-origin.js';

const sessionCookie = 'lf_session';
const visitCookie = 'lf_visit';
const noAccount = '00000000-0000-0000-0000-000000000000';

export interface PageContext {
  ctx: Omit<Context, 'actor'>;
  seal: FormSeal;
  /** The public address of this service that the browser uses. */
  base: string;
  address: string;
}

const isSecure = ({ base }: PageContext): boolean => base.startsWith('https:');

/** The session of the cookie that a request brings. */
export async function readSession(request: FastifyRequest, around: PageContext): Promise<SignedIn | undefined> {
  const secret = readCookie(request, cookieName(sessionCookie, isSecure(around)));
  return secret ? findBrowserSession({ ...around.ctx, actor: toActor(undefined) }, secret) : undefined;
}

/** One request for a page: its session, its parameters and the ways to respond. */
export class PageRequest {
  readonly query: Parameters;
  readonly body: Parameters;
  readonly secure: boolean;
  private here: SignedIn | undefined;
  private readonly visitId: string;
  private readonly returning: boolean;
  private hasVisitCookie = false;

  static async open(request: FastifyRequest, reply: FastifyReply, around: PageContext): Promise<PageRequest> {
    const visit = new PageRequest(request, reply, around);
    visit.here = await readSession(request, around);
    return visit;
  }

  private constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly around: PageContext,
  ) {
    this.query = Parameters.inQuery(request.url);
    this.body = request.body instanceof Parameters ? request.body : new Parameters([]);
    this.secure = isSecure(around);
    const brought = readCookie(request, cookieName(visitCookie, this.secure));
    this.returning = brought !== undefined && /^[\w-]{22}$/.test(brought);
    this.visitId = this.returning && brought !== undefined ? brought : newVisitId();
  }

  get signedIn(): SignedIn | undefined {
    return this.here;
  }

  get posted(): boolean {
    return this.request.method === 'POST';
  }

  get base(): string {
    return this.around.base;
  }

  get address(): string {
    return this.around.address;
  }

  get ctx(): Context {
    return { ...this.around.ctx, actor: toActor(this.here) };
  }

  /** The path of our pages to continue at, from the form or the query. */
  get returnTo(): string | undefined {
    return ownPath(this.body.get('return_to') ?? this.query.get('return_to'));
  }

  sealed(place: FormPurpose): string {
    if (!this.returning && !this.here) this.setVisitCookie();
    return this.around.seal.seal(place, this.owner);
  }

  /** Once, since a page may have several forms. */
  private setVisitCookie(): void {
    if (!this.hasVisitCookie) setCookie(this.reply, visitCookie, this.visitId, { secure: this.secure });
    this.hasVisitCookie = true;
  }

  /** Refuses a form that this service did not create for this browser and purpose. */
  verifyForm(place: FormPurpose): void {
    if (!isOwnPost(this.request.headers, this.base)) throw new FormRefused('foreign');
    const fault = this.around.seal.findSealFault(this.body.get(csrfField), place, this.owner);
    if (fault) throw new FormRefused(fault);
  }

  /** The challenge of a passkey in a form with this token, which is bound to the browser; undefined where none is possible. */
  readPasskeyChallenge(token: string): PasskeyChallenge | undefined {
    const site = passkeySite(this.base);
    return site && { site, challenge: createHash('sha256').update(`passkey ${token}`).digest() };
  }

  /** The same, with an error where none is possible. */
  passkeyChallengeFor(token: string): PasskeyChallenge {
    const challenge = this.readPasskeyChallenge(token);
    if (challenge) return challenge;
    throw new DomainError('CONFLICT', 'Browsers allow no passkeys at this address: it needs https and a host name');
  }

  /** The challenge of the submitted form, whose token has been verified. */
  passkeyChallenge(): PasskeyChallenge {
    return this.passkeyChallengeFor(this.body.get(csrfField) ?? '');
  }

  /** Opens a new session and ends the one before, against session fixation. */
  async signIn(user: User): Promise<void> {
    const before = this.here;
    const userAgent = this.request.headers['user-agent']?.slice(0, 300);
    const { session, secret } = await openSession(this.ctx, {
      userId: user.id,
      kind: 'browser',
      address: this.address,
      ...(userAgent && { userAgent }),
    });
    if (!secret) throw new Error('a browser session came without its secret');
    if (before) await endSession(this.ctx, before.session.id);
    setCookie(this.reply, sessionCookie, secret, { secure: this.secure, until: session.expiresAt });
    this.here = await findBrowserSession(this.ctx, secret);
  }

  async signOut(): Promise<void> {
    if (this.here) await endSession(this.ctx, this.here.session.id);
    this.here = undefined;
    clearCookie(this.reply, sessionCookie, this.secure);
    this.reply.headers(endOfSessionHeaders);
  }

  show(status: number, text: PageText, headers: Readonly<Record<string, string>> = {}): void {
    void this.reply
      .code(status)
      .headers({ ...pageHeaders, ...(text.passkeys && passkeyPageHeaders), ...headers })
      .type('text/html; charset=utf-8')
      .send(layout({ failed: status >= 400, ...text }));
  }

  redirect(url: string): void {
    void this.reply
      .code(this.posted ? 303 : 302)
      .headers({ ...pageHeaders, location: url })
      .send();
  }

  /** Runs work after the response, so that its duration cannot be measured. */
  afterResponse(work: () => void): void {
    this.reply.raw.once('close', work);
  }

  private get owner(): FormOwner {
    return { sessionId: this.here?.session.id, visitId: this.visitId, returning: this.returning };
  }
}

function toActor(here: SignedIn | undefined): Actor {
  if (!here) return { credential: { kind: 'anonymous', id: newId() }, accountId: noAccount, userId: null, scopes: [] };
  return {
    credential: { kind: 'session', id: here.session.id },
    accountId: here.account?.id ?? noAccount,
    userId: here.user.id,
    scopes,
  };
}
