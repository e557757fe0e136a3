import { type CallPolicy, type UsedScorer, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';
import { In, IsNull } from 'typeorm';
import type { JudgedOutput, Judgement } from './judge-questions.js';
import { ScorerCall } from './scorer.entity.js';

export interface ScorerCallOrder {
  scorer: Pick<UsedScorer, 'scorerId' | 'version' | 'name' | 'url'>;
  judged: JudgedOutput;
  calls: CallPolicy | null;
}

/** Orders a call to a scorer of the kind http; a worker makes it. Returns its id. */
export function startScorerCall(owner: Context, { scorer, judged, calls }: ScorerCallOrder): Promise<string> {
  return inTransaction(owner, async (ctx) => {
    const id = newId();
    const { output, params, expected } = judged;
    const { scorerId, name, version, url = '' } = scorer;
    await ctx.db.save(ScorerCall, {
      id,
      accountId: ctx.actor.accountId,
      scorerId: scorerId ?? '',
      url,
      request: { scorer: { id: scorerId, name, version }, output, params, expected: expected ?? null },
      calls,
      createdAt: ctx.now(),
    });
    const outboxId = newId();
    const options = { jobId: `${outboxId}-g0`, outboxId, publishNow: true };
    await enqueue(ctx, jobs.callScorer, { callId: id, outboxId }, options);
    return id;
  });
}

/** A call that has no answer yet. */
export const readScorerCall = ({ db }: Context, id: string): Promise<ScorerCall | null> =>
  db.findOneBy(ScorerCall, { id, answeredAt: IsNull() });

/** Stores the answer to a call, the first one of several. */
export async function answerScorerCall(ctx: Context, id: string, { outcome, reasoning }: Judgement): Promise<void> {
  await ctx.db.update(ScorerCall, { id, answeredAt: IsNull() }, { outcome, reasoning, answeredAt: ctx.now() });
}

/** The answers to calls, by their ids. A call that is not kept any more has none. */
export async function readScorerAnswers({ db }: Context, ids: readonly string[]): Promise<Map<string, Judgement>> {
  if (ids.length === 0) return new Map();
  const rows = await db.findBy(ScorerCall, { id: In([...ids]) });
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    ids.flatMap((id): [string, Judgement][] => {
      const row = found.get(id);
      if (!row) return [[id, { outcome: null, reasoning: 'The call to the scorer took longer than a day' }]];
      return row.answeredAt === null ? [] : [[id, { outcome: row.outcome, reasoning: row.reasoning ?? '' }]];
    }),
  );
}

/** Deletes calls whose answers were used. */
export async function forgetScorerCalls({ db }: Context, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.delete(ScorerCall, { id: In([...ids]) });
}

/** Deletes calls of the caller, whose account is closed. */
export async function eraseScorerCalls(ctx: Context): Promise<void> {
  await ctx.db.delete(ScorerCall, { accountId: ctx.actor.accountId });
}

/** Deletes calls whose answers nothing has asked for, such as those of an experiment that was canceled. */
export async function deleteOldScorerCalls({ db }: Context): Promise<void> {
  await db.query(`delete from scorer_calls where created_at < now() - interval '1 day'`);
}
