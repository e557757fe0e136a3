import type { Context } from '@lensforge/core';
import { grantCredits } from './grant-credits.js';

export async function grantTestCredits(ctx: Context, accountId: string, amount: number): Promise<void> {
  await grantCredits(ctx, { accountId, amount, note: 'for a test' });
}
