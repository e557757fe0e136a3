import type { Context } from '@lensforge/core';
import type { Held } from '@lensforge/runs';
import { extendLeases, readPulses } from '@lensforge/runs';
import type { Attempt } from './attempt.js';
import type { LeaseRows } from './leases.js';

const heldOf = ({ run: { id: runId, attempt } }: Attempt): Held => ({ runId, attempt });
const named = <T extends Held>({ runId, attempt, ...rest }: T) => ({ name: `${runId} ${attempt}`, ...rest });

export const runLeases = (db: Context['db']): LeaseRows<Attempt> => ({
  extend: async (attempts, leaseMs) => (await extendLeases(db, attempts.map(heldOf), leaseMs)).map(named),
  readStates: async (attempts) => (await readPulses(db, attempts.map(heldOf))).map(named),
});
