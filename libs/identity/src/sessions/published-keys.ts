import type { Context } from '@lensforge/core';
import type { JWK } from 'jose';

export interface PublishedKey extends JWK {
  kid: string;
  alg: 'ES256';
  use: 'sig';
}

/** The public keys, newest first: the next one, the current one, and those whose tokens may still be valid. */
export async function publishedKeys(ctx: Pick<Context, 'db'>): Promise<PublishedKey[]> {
  const rows = await ctx.db.query<{ key: PublishedKey }[]>(
    `select public_jwk as key from signing_keys where retires_at is null or retires_at > now() order by signs_from desc`,
  );
  return rows.map(({ key }) => key);
}
