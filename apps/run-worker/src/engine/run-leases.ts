import type { Context } from '@lensforge/core';
import type { HeldRun } from '@lensforge/runs';
import { extendLeases, readLeases } from '@lensforge/runs';
import type { Attempt } from './attempt.js';
import type { LeaseRows } from './leases.js';

const heldOf = ({ run: { id: runId, attempt } }: Attempt): HeldRun => ({ runId, attempt });
const named = <T extends HeldRun>({ runId, attempt, ...rest }: T) => ({ name: `${runId} ${attempt}`, ...rest });

export const runLeases = (ctx: Context): LeaseRows<Attempt> => ({
  extend: async (attempts, leaseMs) => (await extendLeases(ctx, attempts.map(heldOf), leaseMs)).map(named),
  readStates: async (attempts) => (await readLeases(ctx, attempts.map(heldOf))).map(named),
});
