import { type ByokOpener, type StoredBox, sealForWorkers } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import type { BoxContext } from '@lensforge/vault';
import type { ScorerRow } from './scorer.entity.js';

const bindingOf = ({ id, accountId }: { id: string; accountId: string }): BoxContext => ['scorers', id, accountId];

/** Seals the secret of a scorer, so that only a run-worker can open it. */
export async function sealScorerSecret(
  ctx: Context,
  scorer: { id: string; accountId: string },
  secret: string,
): Promise<Pick<ScorerRow, 'keyPair' | 'dataKey' | 'secret'>> {
  const { keyPair, dataKey, content } = await sealForWorkers(ctx, bindingOf(scorer), Buffer.from(secret));
  return { keyPair, dataKey, secret: content };
}

/** Opens the secret of a scorer, in a run-worker; undefined when the scorer is gone. */
export async function openScorerSecret(
  { db }: Context,
  opener: ByokOpener,
  scorer: { id: string; accountId: string },
): Promise<string | undefined> {
  const [box] = await db.query<StoredBox[]>(
    `select s.key_pair as "keyPair", s.data_key as "dataKey", s.secret as content, p.private_key as "privateKey"
       from scorers s join byok_key_pairs p on p.version = s.key_pair where s.id = $1 and s.account_id = $2`,
    [scorer.id, scorer.accountId],
  );
  if (!box) return undefined;
  const secret = opener.openBox(box, bindingOf(scorer));
  try {
    return secret.toString();
  } finally {
    secret.fill(0);
  }
}
