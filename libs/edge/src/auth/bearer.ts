import type { Actor } from '@lensforge/core';
import { HttpFault } from '../rest/rest-errors.js';

/** Verifies one kind of bearer token. */
export interface TokenVerifier {
  /** True when the token has the form that this verifier reads. */
  accepts(token: string): boolean;
  verify(token: string): Promise<Actor | undefined>;
  /** True when this verifier produced the actor. */
  issued(actor: Actor): boolean;
  stillValid(actor: Actor): Promise<boolean>;
  /**
   * The kind of a token, such as `an MCP token`, that is valid but meant for another service. Undefined for all other
   * tokens, so that guessing reveals nothing.
   */
  kindIfForeign?(token: string): Promise<string | undefined>;
}

export interface BearerOptions {
  verifiers: readonly TokenVerifier[];
  /** The tokens that this service accepts, as a sentence: `the REST API needs a developer … token`. */
  requirement?: string | undefined;
  /** More parameters of WWW-Authenticate in a 401, such as `resource_metadata="…"`. */
  challenge?: ((request: RequestHeaders) => string) | undefined;
}

export interface RequestHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Authenticates requests by their bearer token, with the verifiers of the service. */
export class Bearer {
  constructor(private readonly options: BearerOptions) {}

  /** True when the request has a token of a form that a verifier reads. */
  hasKnownForm(request: RequestHeaders): boolean {
    const token = tokenIn(request);
    return token !== undefined && this.options.verifiers.some((each) => each.accepts(token));
  }

  async authenticate(request: RequestHeaders): Promise<Actor> {
    const token = tokenIn(request);
    if (token === undefined) {
      throw this.refusal(request, 'This needs a bearer token: send the header Authorization: Bearer <token>');
    }
    const verifier = this.options.verifiers.find((each) => each.accepts(token));
    const actor = await verifier?.verify(token);
    if (!actor) throw this.refusal(request, await this.reasonAgainst(token), 'error="invalid_token"');
    return actor;
  }

  private async reasonAgainst(token: string): Promise<string> {
    const { verifiers, requirement } = this.options;
    for (const verifier of requirement === undefined ? [] : verifiers) {
      const kind = await verifier.kindIfForeign?.(token);
      if (kind !== undefined) return `This is ${kind}; ${requirement}`;
    }
    return 'The bearer token is unknown, expired or revoked';
  }

  /** True while the credential of an actor is valid; long-lived streams check it repeatedly. */
  async reauthorise(actor: Actor): Promise<boolean> {
    const { until } = actor.credential;
    if (until !== undefined && until <= Date.now() / 1000) return false;
    const verifier = this.options.verifiers.find((each) => each.issued(actor));
    return verifier ? verifier.stillValid(actor) : false;
  }

  private refusal(request: RequestHeaders, message: string, error?: string): HttpFault {
    const parameters = [error, this.options.challenge?.(request)].filter((each) => each !== undefined).join(', ');
    return new HttpFault(401, 'unauthorized', message, {
      headers: {
        'www-authenticate': parameters ? `Bearer ${parameters}` : 'Bearer',
      },
    });
  }
}

function tokenIn({ headers: { authorization } }: RequestHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(typeof authorization === 'string' ? authorization : '')?.[1];
}
