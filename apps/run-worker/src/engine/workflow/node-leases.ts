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

/** Of a run that ends, nodes are no longer anybody's: that stops them. */
export const nodeLeases = (ctx: Context): LeaseRows<NodeAttempt> => ({
  extend: async (attempts, leaseMs) => (await extendNodeLeases(ctx, attempts.map(heldOf), leaseMs)).map(named),
  look: async (attempts) => (await readNodeLeases(ctx, attempts.map(heldOf))).map(named),
});
