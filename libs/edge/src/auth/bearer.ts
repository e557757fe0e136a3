import type { Actor } from '@lensforge/core';
import { HttpFault } from '../rest/rest-errors.js';

/** One way to tell who a bearer token speaks for; a service is given those it trusts. */
export interface TokenVerifier {
  /** Judged by the form of the token alone. */
  accepts(token: string): boolean;
  verify(token: string): Promise<Actor | undefined>;
  /** Whether the credential behind an actor that this verifier made still opens the door. */
  vouches(actor: Actor): boolean;
  stillValid(actor: Actor): Promise<boolean>;
  /**
   * What a token is, such as `an MCP token`, when it is valid but opens another service. Undefined for everything else,
   * so that a guess is told nothing.
   */
  elsewhere?(token: string): Promise<string | undefined>;
}

export interface BearerOptions {
  verifiers: readonly TokenVerifier[];
  /** What this service takes, as a sentence: `the REST API needs a developer … token`. */
  needs?: string | undefined;
  /** What else a 401 says, such as `resource_metadata="…"`. */
  challenge?: ((request: Asked) => string) | undefined;
}

/** As much of a request as it takes to tell who asks. */
export interface Asked {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export class Bearer {
  constructor(private readonly options: BearerOptions) {}

  /** Whether the request brings a token of a form that some verifier reads. */
  recognises(request: Asked): boolean {
    const token = tokenIn(request);
    return token !== undefined && this.options.verifiers.some((each) => each.accepts(token));
  }

  async authenticate(request: Asked): Promise<Actor> {
    const token = tokenIn(request);
    if (token === undefined) {
      throw this.refusal(request, 'This needs a bearer token: send the header Authorization: Bearer <token>');
    }
    const verifier = this.options.verifiers.find((each) => each.accepts(token));
    const actor = await verifier?.verify(token);
    if (!actor) throw this.refusal(request, await this.whyNot(token), 'error="invalid_token"');
    return actor;
  }

  private async whyNot(token: string): Promise<string> {
    const { verifiers, needs } = this.options;
    for (const verifier of needs === undefined ? [] : verifiers) {
      const kind = await verifier.elsewhere?.(token);
      if (kind !== undefined) return `This is ${kind}; ${needs}`;
    }
    return 'The bearer token is unknown, expired or revoked';
  }

  /** Asked again and again by what stays open longer than a token may live. */
  async reauthorise(actor: Actor): Promise<boolean> {
    const { until } = actor.credential;
    if (until !== undefined && until <= Date.now() / 1000) return false;
    const verifier = this.options.verifiers.find((each) => each.vouches(actor));
    return verifier ? verifier.stillValid(actor) : false;
  }

  private refusal(request: Asked, message: string, error?: string): HttpFault {
    const said = [error, this.options.challenge?.(request)].filter((each) => each !== undefined).join(', ');
    return new HttpFault(401, 'unauthorized', message, { 'www-authenticate': said ? `Bearer ${said}` : 'Bearer' });
  }
}

function tokenIn({ headers: { authorization } }: Asked): string | undefined {
  return /^bearer +(\S+) *$/i.exec(typeof authorization === 'string' ? authorization : '')?.[1];
}
