import { sealForWorkers } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { type McpSecret, secretBinding } from './server-auth.js';

/** The values of key_pair, data_key and secret. Only a run-worker can decrypt them. */
export type SecretColumns = [keyPair: number | null, dataKey: Buffer | null, secret: Buffer | null];

export async function sealSecret(
  ctx: Context,
  server: Parameters<typeof secretBinding>[0],
  secret: McpSecret | undefined,
): Promise<SecretColumns> {
  if (!secret) return [null, null, null];
  const box = await sealForWorkers(ctx, secretBinding(server), Buffer.from(JSON.stringify(secret)));
  return [box.keyPair, box.dataKey, box.content];
}
