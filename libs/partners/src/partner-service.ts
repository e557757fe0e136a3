import { type Context, DomainError, badInput, badInputs } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { type KeyRing, SealBroken, open, seal } from '@lensforge/vault';
import { type Bundle, type Json, type Partner, PartnerFault } from './partner.js';

/** Tokens are refreshed when they expire within this time. */
const refreshAheadMs = 60_000;
/** Lease of a refresh; longer than any call of a partner can take. */
const maxRefreshMs = 10_000;
const maxKeyLength = 200;

interface StoredBundle {
  bundle: Bundle;
  generation: number;
  /** True while a gateway refreshes the tokens. */
  refreshing: boolean;
}

type SerializedBundle = Omit<Bundle, 'expiresAt'> & { expiresAt: string };

/** The operations of the registered partner; stores the encrypted token bundles of accounts. */
export class PartnerService {
  constructor(
    private readonly partnerFor: (ctx: Context) => Partner,
    private readonly ring: KeyRing,
    /** Called for a bundle that cannot be decrypted; it is treated as missing. */
    private readonly onBroken: (fault: SealBroken) => void,
  ) {}

  async provision(ctx: Context, name: string, request: Json): Promise<Json> {
    const partner = this.partner(ctx, name);
    const stored = await this.find(ctx, name);
    if (stored) return provisioned(name, stored.bundle);
    const bundle = await withDomainErrors(
      partner.provision({ accountId: ctx.actor.accountId, handle: await readHandle(ctx) }, request),
    );
    return provisioned(name, (await this.store(ctx, name, bundle)).bundle);
  }

  async balance(ctx: Context, name: string): Promise<Json> {
    const partner = this.partner(ctx, name);
    const stored = await this.find(ctx, name);
    if (!stored) throw new DomainError('NOT_FOUND', `There is no account with ${name} yet: provision one first`);
    return this.withBundle(ctx, partner, stored, (bundle) => partner.balance(bundle));
  }

  async refreshToken(ctx: Context, name: string): Promise<Json> {
    const partner = this.partner(ctx, name, unknownPartnerInput);
    const { bundle } = await this.refreshed(ctx, partner, await this.requireBundle(ctx, name));
    const { externalId, accessToken, expiresAt } = bundle;
    return { accountId: externalId, accessToken, tokenType: 'Bearer', expiresAt: expiresAt.toISOString() };
  }

  async sendClaim(ctx: Context, name: string, request: Json): Promise<Json> {
    const partner = this.partner(ctx, name, unknownPartnerInput);
    const stored = await this.requireBundle(ctx, name);
    const { idempotencyKey = ctx.requestId, ...claim } = request;
    if (typeof idempotencyKey !== 'string' || idempotencyKey === '' || idempotencyKey.length > maxKeyLength)
      throw badInput('idempotencyKey', `must be a text of 1 to ${maxKeyLength} characters`);
    return this.withBundle(ctx, partner, stored, (bundle) => partner.sendClaim(bundle, claim, idempotencyKey));
  }

  private partner(ctx: Context, name: string, refusal: (message: string) => DomainError = noPartner): Partner {
    const partner = this.partnerFor(ctx);
    if (partner.name !== name) throw refusal(`There is no partner ${name}; the registered one is ${partner.name}`);
    return partner;
  }

  private async requireBundle(ctx: Context, name: string): Promise<StoredBundle> {
    const stored = await this.find(ctx, name);
    if (!stored) throw badInput('', `There is no account with ${name} yet: provision one first`);
    return stored;
  }

  /** Calls the partner; refreshes the tokens before they expire, and once when the partner rejects them. */
  private async withBundle(
    ctx: Context,
    partner: Partner,
    stored: StoredBundle,
    work: (bundle: Bundle) => Promise<Json>,
  ): Promise<Json> {
    const isEnding = stored.bundle.expiresAt.getTime() - ctx.now().getTime() < refreshAheadMs;
    const current = isEnding ? await this.refreshed(ctx, partner, stored) : stored;
    try {
      return await work(current.bundle);
    } catch (error) {
      if (!(error instanceof PartnerFault) || error.failure !== 'unauthorised') throw toDomainError(error);
      const next = await this.refreshed(ctx, partner, current);
      return withDomainErrors(work(next.bundle));
    }
  }

  /**
   * Refreshes the tokens once over all gateways; concurrent callers wait for the result. A partner may treat a refresh
   * token that is used twice as stolen.
   */
  private async refreshed(ctx: Context, partner: Partner, stored: StoredBundle): Promise<StoredBundle> {
    if (!(await this.claimRefresh(ctx, partner.name, stored))) return this.awaitNext(ctx, partner.name, stored);
    try {
      return await this.replace(ctx, partner.name, stored, await partner.refresh(stored.bundle));
    } catch (error) {
      if (error instanceof PartnerFault && error.failure === 'unauthorised') {
        await this.forget(ctx, partner.name, stored);
        throw connectionEnded();
      }
      await this.releaseRefresh(ctx, partner.name, stored);
      throw toDomainError(error);
    }
  }

  private async claimRefresh(ctx: Context, name: string, { generation }: StoredBundle): Promise<boolean> {
    const [, claimed] = await withDbRetry(() =>
      ctx.db.query<[unknown, number]>(
        `update partner_bundles set refreshing_until = now() + $4 * interval '1 ms'
          where account_id = $1 and partner = $2 and generation = $3
            and (refreshing_until is null or refreshing_until < now())`,
        [ctx.actor.accountId, name, generation, maxRefreshMs],
      ),
    );
    return claimed === 1;
  }

  private releaseRefresh(ctx: Context, name: string, { generation }: StoredBundle): Promise<unknown> {
    return ctx.db.query(
      'update partner_bundles set refreshing_until = null where account_id = $1 and partner = $2 and generation = $3',
      [ctx.actor.accountId, name, generation],
    );
  }

  private forget(ctx: Context, name: string, { generation }: StoredBundle): Promise<unknown> {
    return ctx.db.query('delete from partner_bundles where account_id = $1 and partner = $2 and generation = $3', [
      ctx.actor.accountId,
      name,
      generation,
    ]);
  }

  private async awaitNext(ctx: Context, name: string, { generation }: StoredBundle): Promise<StoredBundle> {
    for (const giveUpAt = performance.now() + maxRefreshMs; performance.now() < giveUpAt;) {
      const present = await this.find(ctx, name);
      if (!present) throw connectionEnded();
      if (present.generation > generation) return present;
      if (!present.refreshing) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new DomainError('PARTNER_ERROR', 'The tokens of the partner could not be refreshed: try again');
  }

  private async find(ctx: Context, name: string): Promise<StoredBundle | undefined> {
    const [row] = await withDbRetry(() =>
      ctx.db.query<{ bundle: Buffer; generation: number; refreshing: boolean }[]>(
        `select bundle, generation, coalesce(refreshing_until > now(), false) as refreshing
           from partner_bundles where account_id = $1 and partner = $2`,
        [ctx.actor.accountId, name],
      ),
    );
    const bundle = row && this.openBundle(ctx, name, row.bundle);
    return bundle && { bundle, generation: row.generation, refreshing: row.refreshing };
  }

  private openBundle(ctx: Context, name: string, sealed: Buffer): Bundle | undefined {
    try {
      const bundle = JSON.parse(open(this.ring, sealLocation(ctx, name), sealed).toString()) as SerializedBundle;
      return { ...bundle, expiresAt: new Date(bundle.expiresAt) };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.onBroken(error);
      return undefined;
    }
  }

  /** Stores a new bundle. Of two concurrent ones the first wins; one that cannot be decrypted is replaced. */
  private async store(ctx: Context, name: string, bundle: Bundle): Promise<StoredBundle> {
    await ctx.db.query(
      `insert into partner_bundles (account_id, partner, external_id, bundle, expires_at) values ($1, $2, $3, $4, $5)
       on conflict (account_id, partner) do nothing`,
      [ctx.actor.accountId, name, bundle.externalId, this.sealBundle(ctx, name, bundle), bundle.expiresAt],
    );
    const stored = await this.find(ctx, name);
    if (stored) return stored;
    const [row] = await ctx.db.query<{ generation: number }[]>(
      'select generation from partner_bundles where account_id = $1 and partner = $2',
      [ctx.actor.accountId, name],
    );
    return this.replace(ctx, name, { generation: row?.generation ?? 1 }, bundle);
  }

  private async replace(
    ctx: Context,
    name: string,
    { generation }: Pick<StoredBundle, 'generation'>,
    bundle: Bundle,
  ): Promise<StoredBundle> {
    await withDbRetry(() =>
      ctx.db.query(
        `update partner_bundles
            set bundle = $4, external_id = $5, expires_at = $6, generation = generation + 1, refreshing_until = null,
                updated_at = now()
          where account_id = $1 and partner = $2 and generation = $3`,
        [
          ctx.actor.accountId,
          name,
          generation,
          this.sealBundle(ctx, name, bundle),
          bundle.externalId,
          bundle.expiresAt,
        ],
      ),
    );
    return (await this.find(ctx, name)) ?? { bundle, generation: generation + 1, refreshing: false };
  }

  private sealBundle(ctx: Context, name: string, bundle: Bundle): Buffer {
    return seal(this.ring, sealLocation(ctx, name), JSON.stringify(bundle));
  }
}

const noPartner = (message: string): DomainError => new DomainError('NOT_FOUND', message);

/** The error for operations without a 404 in their contract. */
const unknownPartnerInput = (message: string): DomainError =>
  badInputs([{ path: 'partnerName', message: 'is not a registered partner' }], message);

const sealLocation = ({ actor }: Context, partner: string) => ({
  table: 'partner_bundles',
  column: 'bundle',
  id: partner,
  owner: actor.accountId,
});

const connectionEnded = (): DomainError =>
  new DomainError('PARTNER_ERROR', 'The partner has ended the connection: provision it again');

const provisioned = (partner: string, { externalId, expiresAt }: Bundle): Json => ({
  partner,
  accountId: externalId,
  status: 'provisioned',
  tokenExpiresAt: expiresAt.toISOString(),
});

async function readHandle({ db, actor }: Context): Promise<string> {
  const [account] = await withDbRetry(() =>
    db.query<{ handle: string }[]>('select handle from accounts where id = $1', [actor.accountId]),
  );
  if (!account) throw new DomainError('MISSING_LENSER', 'This credential acts for no account');
  return account.handle;
}

const withDomainErrors = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw toDomainError(error);
  });

/** Splits a message such as `amount: is more than the balance` into path and message. */
function refusedByPartner(message: string, reason = 'refused'): DomainError {
  const [, path = '', fault = message] = /^([a-zA-Z]\w*): (.*)$/s.exec(message) ?? [];
  return new DomainError('BAD_INPUT', message, { issues: [{ path, message: fault }], reason });
}

/** The error for the caller, without the words or the address of the partner. */
function toDomainError(error: unknown): unknown {
  if (!(error instanceof PartnerFault)) return error;
  const { failure, message, reason } = error;
  if (failure === 'refused') return refusedByPartner(message, reason);
  return new DomainError('PARTNER_ERROR', message);
}
