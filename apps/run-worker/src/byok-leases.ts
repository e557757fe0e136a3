import type { ByokOpener } from '@lensforge/byok';
import { recordByokUse } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { isTransient, withDbRetry } from '@lensforge/database';
import { RunFailure } from './engine/run-failure.js';
import type { Lent } from './providers/providers.js';

export interface ByokLeaseTarget {
  accountId: string;
  byokKeyId: string | null;
}

/** Keys of users, opened for the one call that they are for. */
export class ByokLeases {
  constructor(
    private readonly db: Context['db'],
    /** Absent in a worker that was given no master key. */
    private readonly opener: ByokOpener | undefined,
  ) {}

  /** What the run brings for its provider; undefined when the platform asks in its own name. */
  async lentTo({ accountId, byokKeyId: keyId }: ByokLeaseTarget): Promise<Lent | undefined> {
    if (keyId === null) return undefined;
    const { opener } = this;
    if (!opener)
      throw new RunFailure(
        'KEY_NOT_OPENED',
        'This worker cannot open BYOK keys: it has no LENSFORGE_BYOK_MASTER_KEY',
        {},
      );
    const key = await withDbRetry(() => opener.open(this.db, { keyId, accountId })).catch((reason: unknown) => {
      if (isTransient(reason)) throw reason;
      throw new RunFailure('KEY_NOT_OPENED', 'The BYOK key of this run cannot be opened', undefined, reason);
    });
    if (!key) throw new RunFailure('KEY_REVOKED', 'The BYOK key of this run has been revoked');
    try {
      await withDbRetry(() => recordByokUse(this.db, keyId));
      return { apiKey: key.secret.toString(), ...(key.baseUrl !== null && { baseUrl: key.baseUrl }) };
    } finally {
      key.secret.fill(0);
    }
  }
}
