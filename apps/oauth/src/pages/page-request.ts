import { scopes } from '@lensforge/contracts';
import type { Actor, Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { endSession, findBrowserSession, openSession } from '@lensforge/identity';
import type { SignedIn, User } from '@lensforge/identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, cookieName, readCookie, setCookie } from './cookies.js';
import type { FormOwner, FormPlace, FormSeal } from './form-seal.js';
import { newVisitId } from './form-seal.js';
import { csrfField } from './form.js';
import type { PageText } from './layout.js';
import { layout } from './layout.js';
import { FormRefused } from './page-faults.js';
import { pageHeaders } from './page-headers.js';
import { Parameters } from './parameters.js';
import { ownPath } from './return-to.js';
import { isOwnPost } from './same-origin.js';

const sessionCookie = 'lf_session';
const visitCookie = 'lf_visit';
const nobody = '00000000-0000-0000-0000-000000000000';

export interface Surroundings {
  ctx: Omit<Context, 'actor'>;
  seal: FormSeal;
  /** The public address of this service, as the visitor knows it. */
  base: string;
  address: string;
}

/** One request for a page: who asks, what was filled in, and the ways to answer. */
export class PageRequest {
  readonly query: Parameters;
  readonly body: Parameters;
  readonly secure: boolean;
  private here: SignedIn | undefined;
  private readonly visitId: string;
  private readonly returning: boolean;

  static async open(request: FastifyRequest, reply: FastifyReply, around: Surroundings): Promise<PageRequest> {
    const visit = new PageRequest(request, reply, around);
    const secret = readCookie(request, cookieName(sessionCookie, visit.secure));
    if (secret) visit.here = await findBrowserSession(visit.ctx, secret);
    return visit;
  }

  private constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly around: Surroundings,
  ) {
    this.query = Parameters.inQuery(request.url);
    this.body = request.body instanceof Parameters ? request.body : new Parameters([]);
    this.secure = around.base.startsWith('https:');
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
    return { ...this.around.ctx, actor: actorOf(this.here) };
  }

  /** Where to go afterwards, if the form or the address names a place of ours. */
  get returnTo(): string | undefined {
    return ownPath(this.body.get('return_to') ?? this.query.get('return_to'));
  }

  sealed(place: FormPlace): string {
    if (!this.returning && !this.here) setCookie(this.reply, visitCookie, this.visitId, { secure: this.secure });
    return this.around.seal.seal(place, this.owner);
  }

  /** Refuses a post that did not come from a form of ours, made for this visitor. */
  mustBeOurs(place: FormPlace): void {
    if (!isOwnPost(this.request.headers, this.base)) throw new FormRefused('foreign');
    const fault = this.around.seal.faultOf(this.body.get(csrfField), place, this.owner);
    if (fault) throw new FormRefused(fault);
  }

  /** Always a new session: what a browser held before it signed in is worth nothing afterwards. */
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
  }

  page(status: number, text: PageText, headers: Readonly<Record<string, string>> = {}): void {
    void this.reply
      .code(status)
      .headers({ ...pageHeaders, ...headers })
      .type('text/html; charset=utf-8')
      .send(layout({ failed: status >= 400, ...text }));
  }

  goTo(url: string): void {
    void this.reply
      .code(this.posted ? 303 : 302)
      .headers({ ...pageHeaders, location: url })
      .send();
  }

  /** For what has to wait until nobody can tell any more how long it takes. */
  afterwards(work: () => void): void {
    this.reply.raw.once('close', work);
  }

  private get owner(): FormOwner {
    return { sessionId: this.here?.session.id, visitId: this.visitId, returning: this.returning };
  }
}

function actorOf(here: SignedIn | undefined): Actor {
  if (!here) return { credential: { kind: 'anonymous', id: newId() }, accountId: nobody, userId: null, scopes: [] };
  return {
    credential: { kind: 'session', id: here.session.id },
    accountId: here.account?.id ?? nobody,
    userId: here.user.id,
    scopes,
  };
}
