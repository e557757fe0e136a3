export type Json = Record<string, unknown>;

/** What opens an account with a partner. It is kept sealed. */
export interface Bundle {
  /** The account, as the partner names it. */
  externalId: string;
  accessToken: string;
  refreshToken: string;
  expiresAt: Date;
}

/** Whose account with the partner it is, or shall be. */
export interface Holder {
  accountId: string;
  handle: string;
}

/** One who keeps accounts for ours. Every adapter passes the same tests. */
export interface Partner {
  readonly name: string;
  /** The same account for the same holder, however often; the tokens may be new. */
  provision(holder: Holder, request: Json): Promise<Bundle>;
  balance(bundle: Bundle): Promise<Json>;
  /** New tokens; those of the bundle are dead. */
  refresh(bundle: Bundle): Promise<Bundle>;
  /** A claim under a key that was used is the claim that it was used for. */
  sendClaim(bundle: Bundle, claim: Json, key: string): Promise<Json>;
}

/**
 * `refused`: the partner understood and will not; its word for why. `unauthorised`: it does not know the token. `failed`:
 * there is no answer, or none that can be understood. Nothing that a partner has said is in a message.
 */
export type PartnerFailure = 'refused' | 'unauthorised' | 'failed';

export class PartnerFault extends Error {
  override readonly name = 'PartnerFault';

  constructor(
    readonly trouble: PartnerFailure,
    message: string,
    readonly reason?: string,
  ) {
    super(message);
  }
}
