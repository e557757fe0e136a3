import type { ByokOpener } from '@lensforge/byok';
import { noteByokUse } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import { RunFailure } from './engine/run-failure.js';

export interface LentTo {
  accountId: string;
  byokKeyId: string | null;
}

/** Keys of users, opened for the one call that they are for. */
export class LentKeys {
  constructor(
    private readonly db: Context['db'],
    /** Absent in a worker that was given no master key. */
    private readonly opener: ByokOpener | undefined,
  ) {}

  /** What the run brings for its provider; undefined when the platform asks in its own name. */
  async secretOf({ accountId, byokKeyId: keyId }: LentTo): Promise<string | undefined> {
    if (keyId === null) return undefined;
    const { opener } = this;
    if (!opener) throw new RunFailure('KEY_NOT_OPENED', 'This worker was not given what opens keys of users', {});
    const key = await rideOut(() => opener.open(this.db, { keyId, accountId })).catch((reason: unknown) => {
      throw new RunFailure(
        'KEY_NOT_OPENED',
        'The key of yours that this run was to use cannot be opened',
        undefined,
        reason,
      );
    });
    if (!key) throw new RunFailure('KEY_REVOKED', 'The key of yours that this run was to use has been revoked');
    try {
      await rideOut(() => noteByokUse(this.db, keyId));
      return key.secret.toString();
    } finally {
      key.secret.fill(0);
    }
  }
}
