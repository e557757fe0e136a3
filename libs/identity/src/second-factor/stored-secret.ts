import type { Context } from '@lensforge/core';
import { type KeyRing, type SealContext, open, seal } from '@lensforge/vault';

export interface StoredSecondFactor {
  secret: Buffer;
  confirmed: boolean;
}

const toSealContext = (userId: string): SealContext => ({
  table: 'second_factors',
  column: 'secret',
  id: userId,
  owner: userId,
});

export const sealTotpSecret = (ring: KeyRing, userId: string, secret: Uint8Array): Buffer =>
  seal(ring, toSealContext(userId), secret);

export const openTotpSecret = (ring: KeyRing, userId: string, sealed: Buffer): Buffer =>
  open(ring, toSealContext(userId), sealed);

export async function readSecondFactor(ctx: Context, userId: string): Promise<StoredSecondFactor | undefined> {
  const [row] = await ctx.db.query<StoredSecondFactor[]>(
    'select secret, confirmed_at is not null as confirmed from second_factors where user_id = $1',
    [userId],
  );
  return row;
}
