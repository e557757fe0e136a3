import { recordAudit } from '@lensforge/audit';
import { grantCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import { type Command, UsageError } from '../command.js';
import { requireAccount } from '../require-account.js';

const keyOption = '--key=';
const maxAmount = 1_000_000_000_000;

export const grantCreditsCommand: Command = {
  usage: 'grant-credits <handle-or-id> <amount> [note] [--key=…]',
  description: 'gives an account credits and records it in the audit log. With --key the grant is idempotent',
  run: async ({ ctx, print }, args) => {
    const key = args.find((each) => each.startsWith(keyOption))?.slice(keyOption.length);
    const [who, howMany, note, ...more] = args.filter((each) => !each.startsWith(keyOption));
    if (who === undefined || howMany === undefined || more.length > 0 || key === '') {
      throw new UsageError('grant-credits takes an account, an amount, and optionally a note and --key=…');
    }
    const amount = Number(howMany);
    if (!/^\d+$/.test(howMany) || amount < 1 || amount > maxAmount) {
      throw new UsageError(`the amount must be a whole number from 1 to ${maxAmount}`);
    }
    const account = await requireAccount(ctx, who);
    if (account.kind === 'agent') throw new UsageError(`${who} is an AI lenser: grant the credits to its owner`);
    const granted = await inTransaction(ctx, async (ctx) => {
      const accountId = account.id;
      if (!(await grantCredits(ctx, { accountId, amount, note, key }))) return false;
      await recordAudit(ctx, { accountId, action: 'credits.granted', details: { amount, note, key } });
      return true;
    });
    const [{ available }] = await ctx.db.query<[{ available: string }]>(
      'select available from credit_accounts where account_id = $1',
      [account.id],
    );
    print(
      granted
        ? `${account.handle} was given ${amount} credits and has ${available} to spend`
        : `${account.handle} already received credits with this key and has ${available} to spend`,
    );
    return true;
  },
};
