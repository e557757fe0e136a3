import type { Context } from '@lensforge/core';
import { grantCredits } from './grant-credits.js';

export const someCredits = (ctx: Context, accountId: string, amount: number): Promise<void> =>
  grantCredits(ctx, { accountId, amount, note: 'for a test' });
