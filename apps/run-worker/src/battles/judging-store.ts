import {
  type HeldJudging,
  type JudgingSums,
  type LoadedJudging,
  type NewJudgement,
  type Verdict,
  loadJudgings,
  recordJudgement,
  recordJudgements,
  writeVerdicts,
} from '@lensforge/battles';
import { type Context, batchCalls } from '@lensforge/core';
import { batchLimits, batchedWrite, withLongRetry } from '../engine/database-writes.js';

/** The reads and writes of judging runs: concurrent runs share a statement, and all retry while PostgreSQL restarts. */
export interface JudgingStore {
  /** Undefined when there is no such battle. */
  load(battleId: string): Promise<LoadedJudging | undefined>;
  /** False when the attempt no longer holds the run, as for the next two. Only one call of a run at a time. */
  recordFree(held: HeldJudging, judgements: readonly NewJudgement[]): Promise<boolean>;
  record(held: HeldJudging, judgement: NewJudgement): Promise<boolean>;
  conclude(held: HeldJudging, verdicts: readonly Verdict[]): Promise<JudgingSums | undefined>;
}

export function openJudgingStore(ctx: Context): JudgingStore {
  const load = batchCalls((ids: string[]) => withLongRetry(() => loadJudgings(ctx, ids)), batchLimits);
  const recordFree = batchedWrite((records: Parameters<typeof recordJudgements>[1]) => recordJudgements(ctx, records));
  const conclude = batchedWrite((records: Parameters<typeof writeVerdicts>[1]) => writeVerdicts(ctx, records));
  return {
    load,
    recordFree: (held, judgements) => recordFree({ held, judgements }),
    record: (held, judgement) => withLongRetry(() => recordJudgement(ctx, held, judgement)),
    conclude: (held, verdicts) => conclude({ held, verdicts }),
  };
}
