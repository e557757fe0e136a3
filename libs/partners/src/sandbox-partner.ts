import { createHash, randomBytes } from 'node:crypto';
import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type Bundle, type Holder, type Json, type Partner, PartnerFault } from './partner.js';

const firstBalance = 10_000;
const currency = 'SBX';
const refreshDays = 30;
const maxAmount = 1_000_000_000;

export interface SandboxOptions {
  name: string;
  tokenSeconds: number;
}

interface Account {
  id: string;
  handle: string;
  balance: number;
}

/** A partner for trials: accounts, balances and claims are rows of our database, with play money. */
export class SandboxPartner implements Partner {
  readonly name: string;

  constructor(
    private readonly ctx: Context,
    private readonly options: SandboxOptions,
  ) {
    this.name = options.name;
  }

  provision({ accountId, handle }: Holder): Promise<Bundle> {
    return inTransaction(this.ctx, async (ctx) => {
      await ctx.db.query(
        `insert into sandbox_accounts (id, reference, handle, balance) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [newId(), accountId, handle.toLowerCase(), firstBalance],
      );
      const [account] = await ctx.db.query<Account[]>(
        'select id, handle, balance::float8 from sandbox_accounts where reference = $1',
        [accountId],
      );
      if (!account) throw refused('handle_taken', 'handle: belongs to another account');
      return this.issue(ctx, account.id);
    });
  }

  async balance({ accessToken }: Bundle): Promise<Json> {
    const { id, handle, balance } = await this.accountOfToken(this.ctx, accessToken);
    return { accountId: id, handle, balance, currency };
  }

  refresh({ refreshToken }: Bundle): Promise<Bundle> {
    return inTransaction(this.ctx, async (ctx) => {
      const [[used]] = await ctx.db.query<[{ accountId: string }[], number]>(
        `update sandbox_tokens set used_at = now()
          where refresh_digest = $1 and used_at is null and refresh_expires_at > now()
          returning sandbox_account_id as "accountId"`,
        [digestToken(refreshToken)],
      );
      if (!used) throw new PartnerFault('unauthorised', 'The refresh token is unknown, used or expired');
      return this.issue(ctx, used.accountId);
    });
  }

  async sendClaim({ accessToken }: Bundle, claim: Json, key: string): Promise<Json> {
    const { to, amount, note } = readClaim(claim);
    return inTransaction(this.ctx, async (ctx) => {
      const payer = await this.accountOfToken(ctx, accessToken);
      const [payee] = await ctx.db.query<{ id: string }[]>('select id from sandbox_accounts where handle = $1', [to]);
      if (!payee) throw refused('unknown_recipient', 'to: no account has this handle');
      if (payee.id === payer.id) throw refused('same_account', 'to: must not be the sender');
      // Locks rows in the order of their ids, so that two opposite payments cannot deadlock.
      await ctx.db.query('select 1 from sandbox_accounts where id = any ($1) order by id for update', [
        [payer.id, payee.id],
      ]);
      const [made] = await ctx.db.query<{ id: string }[]>(
        `insert into sandbox_claims (id, payer_id, payee_id, amount, note, key) values ($1, $2, $3, $4, $5, $6)
         on conflict (payer_id, key) where key is not null do nothing returning id`,
        [newId(), payer.id, payee.id, amount, note, key],
      );
      if (!made) return this.createClaim(ctx, payer.id, key, { payeeId: payee.id, amount });
      const [, paid] = await ctx.db.query<[unknown, number]>(
        'update sandbox_accounts set balance = balance - $2 where id = $1 and balance >= $2',
        [payer.id, amount],
      );
      if (paid === 0) throw refused('insufficient_funds', 'amount: is more than the balance');
      await ctx.db.query('update sandbox_accounts set balance = balance + $2 where id = $1', [payee.id, amount]);
      return { claimId: made.id, status: 'settled', to, amount, currency };
    });
  }

  private async createClaim(
    ctx: Context,
    payerId: string,
    key: string,
    { payeeId, amount }: { payeeId: string; amount: number },
  ): Promise<Json> {
    const [claim] = await ctx.db.query<[{ id: string; payeeId: string; amount: number; handle: string }]>(
      `select c.id, c.payee_id as "payeeId", c.amount::float8, a.handle
         from sandbox_claims c join sandbox_accounts a on a.id = c.payee_id where c.payer_id = $1 and c.key = $2`,
      [payerId, key],
    );
    if (claim.payeeId !== payeeId || claim.amount !== amount)
      throw refused('idempotency_key_reused', 'idempotencyKey: was used for another claim');
    return { claimId: claim.id, status: 'settled', to: claim.handle, amount: claim.amount, currency };
  }

  private async accountOfToken({ db }: Context, accessToken: string): Promise<Account> {
    const [account] = await db.query<Account[]>(
      `select a.id, a.handle, a.balance::float8 from sandbox_tokens t join sandbox_accounts a on a.id = t.sandbox_account_id
        where t.access_digest = $1 and t.used_at is null and t.expires_at > now()`,
      [digestToken(accessToken)],
    );
    if (!account) throw new PartnerFault('unauthorised', 'The access token is unknown, replaced or expired');
    return account;
  }

  private async issue({ db }: Context, accountId: string): Promise<Bundle> {
    const [accessToken, refreshToken] = [`sbx_at_${random()}`, `sbx_rt_${random()}`];
    const [{ expiresAt }] = await db.query<[{ expiresAt: Date }]>(
      `insert into sandbox_tokens (id, sandbox_account_id, access_digest, refresh_digest, expires_at, refresh_expires_at)
       values ($1, $2, $3, $4, now() + $5 * interval '1 s', now() + $6 * interval '1 day')
       returning expires_at as "expiresAt"`,
      [newId(), accountId, digestToken(accessToken), digestToken(refreshToken), this.options.tokenSeconds, refreshDays],
    );
    return { externalId: accountId, accessToken, refreshToken, expiresAt };
  }
}

const random = (): string => randomBytes(32).toString('hex');
const digestToken = (token: string): Buffer => createHash('sha256').update(token).digest();
const refused = (reason: string, message: string): PartnerFault => new PartnerFault('refused', message, reason);

function readClaim({ to, amount, note = '' }: Json): { to: string; amount: number; note: string } {
  if (typeof to !== 'string' || to === '') throw refused('invalid_claim', 'to: must be the handle of the recipient');
  if (!Number.isInteger(amount) || Number(amount) < 1 || Number(amount) > maxAmount)
    throw refused('invalid_claim', `amount: must be a whole number from 1 to ${maxAmount}`);
  if (typeof note !== 'string' || note.length > 500)
    throw refused('invalid_claim', 'note: must be at most 500 characters long');
  return { to: to.toLowerCase(), amount: Number(amount), note };
}
