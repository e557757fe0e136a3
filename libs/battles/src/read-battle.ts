import type { Battle, Judging } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type ReadableBattle, readableBattle } from './access.js';
import { judgingStatus } from './battle-runs.js';
import { battleView } from './battle-view.js';
import { battleWarnings, countWarnings } from './battle-warnings.js';
import { mayAttribute, mayVote, seesContenders } from './blindness.js';
import { listSubmissions } from './submissions.js';

/** Reads a battle with what the caller may know of its contenders in its present status. */
export async function readBattle(ctx: Context, battleId: string): Promise<Battle> {
  const found = await readableBattle(ctx, battleId);
  const { battle, contenders, viewer } = found;
  const votes = await mayVote(ctx, found);
  const visible = contenders.filter((each) => votes || mayAttribute(battle, viewer, each));
  const submissions = await listSubmissions(
    ctx,
    battleId,
    visible.map(({ id }) => id),
  );
  const counted = { contenders, submitted: new Set(submissions.map(({ contenderId }) => contenderId)) };
  const warnings = seesContenders(battle, viewer)
    ? await battleWarnings(ctx, battle, counted)
    : countWarnings(battle, counted);
  return battleView(found, { submissions, mayVote: votes, judging: await readJudging(ctx, found), warnings });
}

/** The progress of the judging; null before it starts. Its run is for the creator. */
export async function readJudging(ctx: Context, { battle, viewer }: ReadableBattle): Promise<Judging | null> {
  if (battle.judgingRunId === null) return null;
  const judging = await judgingStatus(ctx, battle);
  const [progress] = await ctx.db.query<[Pick<Judging, 'judged' | 'judge' | 'promptHash'>]>(
    `select count(*)::int as judged, max(judge) as judge, max(prompt_hash) as "promptHash"
       from battle_judgements where battle_id = $1`,
    [battle.id],
  );
  const runId = viewer.isCreator ? (judging?.runId ?? battle.judgingRunId) : null;
  return { runId, status: judging?.status ?? null, total: battle.judgingTotal, ...progress };
}
