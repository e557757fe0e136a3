import { type ByokOpener, recordByokUse } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { isTransient, withDbRetry } from '@lensforge/database';
import { RunFailure } from './engine/run-failure.js';
import type { ByokAccess } from './providers/providers.js';

export interface ByokLeaseTarget {
  accountId: string;
  byokKeyId: string | null;
}

/** Opens BYOK keys, each for one call to a provider. */
export class ByokLeases {
  constructor(
    private readonly ctx: Context,
    /** Undefined in a worker without LENSFORGE_BYOK_MASTER_KEY. */
    private readonly opener: ByokOpener | undefined,
  ) {}

  /** The BYOK access of a run; undefined when the run uses the key of the platform. */
  async openFor({ accountId, byokKeyId: keyId }: ByokLeaseTarget): Promise<ByokAccess | undefined> {
    if (keyId === null) return undefined;
    const { ctx, opener } = this;
    if (!opener) {
      const message = 'This worker cannot open BYOK keys: it has no LENSFORGE_BYOK_MASTER_KEY';
      throw new RunFailure('KEY_NOT_OPENED', message, { retry: {} });
    }
    const key = await withDbRetry(() => opener.open(ctx.db, { keyId, accountId })).catch((reason: unknown) => {
      if (isTransient(reason)) throw reason;
      throw new RunFailure('KEY_NOT_OPENED', 'The BYOK key of this run cannot be opened', { cause: reason });
    });
    if (!key) throw new RunFailure('KEY_REVOKED', 'The BYOK key of this run has been revoked');
    try {
      await withDbRetry(() => recordByokUse(ctx.db, keyId));
      return { apiKey: key.secret.toString(), ...(key.baseUrl !== null && { baseUrl: key.baseUrl }) };
    } finally {
      key.secret.fill(0);
    }
  }
}
