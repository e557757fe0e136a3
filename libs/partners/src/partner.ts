export type Json = Record<string, unknown>;

/** The tokens of an account with a partner; stored encrypted. */
export interface Bundle {
  /** The account id of the partner. */
  externalId: string;
  accessToken: string;
  refreshToken: string;
  expiresAt: Date;
}

/** The Lensforge account that owns an account with the partner. */
export interface Holder {
  accountId: string;
  handle: string;
}

/** An external service with an account for each of ours. Every adapter passes the same tests. */
export interface Partner {
  readonly name: string;
  /** Idempotent: the same holder gets the same account, possibly with new tokens. */
  provision(holder: Holder, request: Json): Promise<Bundle>;
  balance(bundle: Bundle): Promise<Json>;
  /** Returns new tokens; those of the bundle are no longer valid. */
  refresh(bundle: Bundle): Promise<Bundle>;
  /** Idempotent: a used key returns the claim that it was used for. */
  sendClaim(bundle: Bundle, claim: Json, key: string): Promise<Json>;
}

/**
 * `refused`: the partner rejects the request, with a reason code. `unauthorised`: it rejects the token. `failed`: there
 * is no valid response. Messages never contain text of the partner.
 */
export type PartnerFailure = 'refused' | 'unauthorised' | 'failed';

export class PartnerFault extends Error {
  override readonly name = 'PartnerFault';

  constructor(
    readonly failure: PartnerFailure,
    message: string,
    readonly reason?: string,
  ) {
    super(message);
  }
}
