import type { Context } from '@lensforge/core';
import { Run } from '../run.entity.js';

const members = {
  lensVersionId: true,
  modelId: true,
  outputSchema: true,
  sampling: true,
  /** The limit of the time for which workers may execute it. */
  executionMs: true,
} as const;

/** The order with which the run of a lens was accepted. */
export type LensOrder = Pick<Run, keyof typeof members>;

export const readLensOrder = ({ db }: Context, runId: string): Promise<LensOrder> =>
  db.findOneOrFail(Run, { select: members, where: { id: runId } });
