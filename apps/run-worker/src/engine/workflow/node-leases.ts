import type { Context } from '@lensforge/core';
import type { HeldNode } from '@lensforge/runs';
import { extendNodeLeases, readNodeLeases } from '@lensforge/runs';
import type { LeaseRows } from '../leases.js';
import type { NodeAttempt } from './node-attempt.js';

const heldOf = ({ held }: NodeAttempt): HeldNode => held;
const named = <T extends HeldNode>({ runId, nodeKey, attempt, ...rest }: T) => ({
  name: `${runId} ${nodeKey} ${attempt}`,
  ...rest,
});

/** When a run ends, its nodes have no worker any more, which stops their attempts. */
export const nodeLeases = (ctx: Context): LeaseRows<NodeAttempt> => ({
  extend: async (attempts, leaseMs) => (await extendNodeLeases(ctx, attempts.map(heldOf), leaseMs)).map(named),
  readStates: async (attempts) => (await readNodeLeases(ctx, attempts.map(heldOf))).map(named),
});
