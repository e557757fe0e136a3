import type { Context } from '@lensforge/core';
import { DomainError, badInput, badInputs } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { SealBroken, open, seal } from '@lensforge/vault';
import type { Bundle, Json, Partner } from './partner.js';
import { PartnerFault } from './partner.js';

/** Tokens that end so soon are replaced before they are used. */
const refreshAheadMs = 60_000;
/** Longer than any call of a partner: whoever takes longer has died. */
const longestRefreshMs = 10_000;
const longestKey = 200;

interface Kept {
  bundle: Bundle;
  generation: number;
  /** Somebody is about to replace it. */
  refreshing: boolean;
}

type KeptBundle = Omit<Bundle, 'expiresAt'> & { expiresAt: string };

/** What callers may do with the one partner that is registered; their bundles are kept here. */
export class PartnerService {
  constructor(
    private readonly partnerFor: (ctx: Context) => Partner,
    private readonly ring: KeyRing,
    /** Is told of a bundle that was altered, or sealed with a key that is gone; it counts as none. */
    private readonly onBroken: (fault: SealBroken) => void,
  ) {}

  async provision(ctx: Context, name: string, request: Json): Promise<Json> {
    const partner = this.partner(ctx, name);
    const kept = await this.find(ctx, name);
    if (kept) return provisioned(name, kept.bundle);
    const bundle = await told(
      partner.provision({ accountId: ctx.actor.accountId, handle: await handleOf(ctx) }, request),
    );
    return provisioned(name, (await this.keep(ctx, name, bundle)).bundle);
  }

  async balance(ctx: Context, name: string): Promise<Json> {
    const partner = this.partner(ctx, name);
    const kept = await this.find(ctx, name);
    if (!kept) throw new DomainError('NOT_FOUND', `There is no account with ${name} yet: provision one first`);
    return this.withBundle(ctx, partner, kept, (bundle) => partner.balance(bundle));
  }

  async refreshToken(ctx: Context, name: string): Promise<Json> {
    const partner = this.partner(ctx, name, noPartnerToAsk);
    const { bundle } = await this.refreshed(ctx, partner, await this.bundleOf(ctx, name));
    const { externalId, accessToken, expiresAt } = bundle;
    return { accountId: externalId, accessToken, tokenType: 'Bearer', expiresAt: expiresAt.toISOString() };
  }

  async sendClaim(ctx: Context, name: string, request: Json): Promise<Json> {
    const partner = this.partner(ctx, name, noPartnerToAsk);
    const kept = await this.bundleOf(ctx, name);
    const { idempotencyKey = ctx.requestId, ...claim } = request;
    if (typeof idempotencyKey !== 'string' || idempotencyKey === '' || idempotencyKey.length > longestKey)
      throw badInput('idempotencyKey', `must be a text of 1 to ${longestKey} characters`);
    return this.withBundle(ctx, partner, kept, (bundle) => partner.sendClaim(bundle, claim, idempotencyKey));
  }

  private partner(ctx: Context, name: string, refusal: (sentence: string) => DomainError = noPartner): Partner {
    const partner = this.partnerFor(ctx);
    if (partner.name !== name)
      throw refusal(`There is no partner ${name}; the one that is registered is ${partner.name}`);
    return partner;
  }

  private async bundleOf(ctx: Context, name: string): Promise<Kept> {
    const kept = await this.find(ctx, name);
    if (!kept) throw badInput('', `There is no account with ${name} yet: provision one first`);
    return kept;
  }

  /** Tokens are replaced before they end, and once more when the partner does not take them. */
  private async withBundle(
    ctx: Context,
    partner: Partner,
    kept: Kept,
    work: (bundle: Bundle) => Promise<Json>,
  ): Promise<Json> {
    const isEnding = kept.bundle.expiresAt.getTime() - ctx.now().getTime() < refreshAheadMs;
    const current = isEnding ? await this.refreshed(ctx, partner, kept) : kept;
    try {
      return await work(current.bundle);
    } catch (error) {
      if (!(error instanceof PartnerFault) || error.trouble !== 'unauthorised') throw inOurWords(error);
      const next = await this.refreshed(ctx, partner, current);
      return told(work(next.bundle));
    }
  }

  /**
   * One at a time over all gateways, and whoever comes meanwhile takes what the first one gets: to a partner, a refresh
   * token that comes twice may be a stolen one.
   */
  private async refreshed(ctx: Context, partner: Partner, kept: Kept): Promise<Kept> {
    if (!(await this.claimRefresh(ctx, partner.name, kept))) return this.awaitNext(ctx, partner.name, kept);
    try {
      return await this.replace(ctx, partner.name, kept, await partner.refresh(kept.bundle));
    } catch (error) {
      if (error instanceof PartnerFault && error.trouble === 'unauthorised') {
        await this.forget(ctx, partner.name, kept);
        throw ended();
      }
      await this.releaseRefresh(ctx, partner.name, kept);
      throw inOurWords(error);
    }
  }

  private async claimRefresh(ctx: Context, name: string, { generation }: Kept): Promise<boolean> {
    const [, claimed] = await withDbRetry(() =>
      ctx.db.query<[unknown, number]>(
        `update partner_bundles set refreshing_until = now() + $4 * interval '1 ms'
          where account_id = $1 and partner = $2 and generation = $3
            and (refreshing_until is null or refreshing_until < now())`,
        [ctx.actor.accountId, name, generation, longestRefreshMs],
      ),
    );
    return claimed === 1;
  }

  private releaseRefresh(ctx: Context, name: string, { generation }: Kept): Promise<unknown> {
    return ctx.db.query(
      'update partner_bundles set refreshing_until = null where account_id = $1 and partner = $2 and generation = $3',
      [ctx.actor.accountId, name, generation],
    );
  }

  private forget(ctx: Context, name: string, { generation }: Kept): Promise<unknown> {
    return ctx.db.query('delete from partner_bundles where account_id = $1 and partner = $2 and generation = $3', [
      ctx.actor.accountId,
      name,
      generation,
    ]);
  }

  private async awaitNext(ctx: Context, name: string, { generation }: Kept): Promise<Kept> {
    for (const giveUpAt = performance.now() + longestRefreshMs; performance.now() < giveUpAt;) {
      const present = await this.find(ctx, name);
      if (!present) throw ended();
      if (present.generation > generation) return present;
      if (!present.refreshing) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new DomainError('PARTNER_ERROR', 'The tokens of the partner could not be refreshed: try again');
  }

  private async find(ctx: Context, name: string): Promise<Kept | undefined> {
    const [row] = await withDbRetry(() =>
      ctx.db.query<{ bundle: Buffer; generation: number; refreshing: boolean }[]>(
        `select bundle, generation, coalesce(refreshing_until > now(), false) as refreshing
           from partner_bundles where account_id = $1 and partner = $2`,
        [ctx.actor.accountId, name],
      ),
    );
    const bundle = row && this.opened(ctx, name, row.bundle);
    return bundle && { bundle, generation: row.generation, refreshing: row.refreshing };
  }

  private opened(ctx: Context, name: string, sealed: Buffer): Bundle | undefined {
    try {
      const kept = JSON.parse(open(this.ring, placeOf(ctx, name), sealed).toString()) as KeptBundle;
      return { ...kept, expiresAt: new Date(kept.expiresAt) };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.onBroken(error);
      return undefined;
    }
  }

  /** The first of two that provision at once is kept, and both are told of it; what cannot be opened gives way. */
  private async keep(ctx: Context, name: string, bundle: Bundle): Promise<Kept> {
    await ctx.db.query(
      `insert into partner_bundles (account_id, partner, external_id, bundle, expires_at) values ($1, $2, $3, $4, $5)
       on conflict (account_id, partner) do nothing`,
      [ctx.actor.accountId, name, bundle.externalId, this.sealed(ctx, name, bundle), bundle.expiresAt],
    );
    const kept = await this.find(ctx, name);
    if (kept) return kept;
    const [row] = await ctx.db.query<{ generation: number }[]>(
      'select generation from partner_bundles where account_id = $1 and partner = $2',
      [ctx.actor.accountId, name],
    );
    return this.replace(ctx, name, { generation: row?.generation ?? 1 }, bundle);
  }

  private async replace(
    ctx: Context,
    name: string,
    { generation }: Pick<Kept, 'generation'>,
    bundle: Bundle,
  ): Promise<Kept> {
    await withDbRetry(() =>
      ctx.db.query(
        `update partner_bundles
            set bundle = $4, external_id = $5, expires_at = $6, generation = generation + 1, refreshing_until = null,
                updated_at = now()
          where account_id = $1 and partner = $2 and generation = $3`,
        [ctx.actor.accountId, name, generation, this.sealed(ctx, name, bundle), bundle.externalId, bundle.expiresAt],
      ),
    );
    return (await this.find(ctx, name)) ?? { bundle, generation: generation + 1, refreshing: false };
  }

  private sealed(ctx: Context, name: string, bundle: Bundle): Buffer {
    return seal(this.ring, placeOf(ctx, name), JSON.stringify(bundle));
  }
}

const noPartner = (sentence: string): DomainError => new DomainError('NOT_FOUND', sentence);

/** For the operations whose contract knows no 404. */
const noPartnerToAsk = (sentence: string): DomainError =>
  badInputs([{ path: 'partnerName', message: 'is not a registered partner' }], sentence);

const placeOf = ({ actor }: Context, partner: string) => ({
  table: 'partner_bundles',
  column: 'bundle',
  id: partner,
  owner: actor.accountId,
});

const ended = (): DomainError =>
  new DomainError('PARTNER_ERROR', 'The partner has ended the connection: provision it again');

const provisioned = (partner: string, { externalId, expiresAt }: Bundle): Json => ({
  partner,
  accountId: externalId,
  status: 'provisioned',
  tokenExpiresAt: expiresAt.toISOString(),
});

async function handleOf({ db, actor }: Context): Promise<string> {
  const [account] = await withDbRetry(() =>
    db.query<{ handle: string }[]>('select handle from accounts where id = $1', [actor.accountId]),
  );
  if (!account) throw new DomainError('MISSING_LENSER', 'This credential acts for no account');
  return account.handle;
}

const told = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw inOurWords(error);
  });

/** A partner that names a member does so as `amount: is more than the balance`. */
function refusedByPartner(message: string, reason = 'refused'): DomainError {
  const [, path = '', said = message] = /^([a-zA-Z]\w*): (.*)$/s.exec(message) ?? [];
  return new DomainError('BAD_INPUT', message, { issues: [{ path, message: said }], reason });
}

/** Neither what a partner said nor where it lives is told on. */
function inOurWords(error: unknown): unknown {
  if (!(error instanceof PartnerFault)) return error;
  const { trouble, message, reason } = error;
  if (trouble === 'refused') return refusedByPartner(message, reason);
  return new DomainError('PARTNER_ERROR', message);
}
