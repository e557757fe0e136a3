import type { Battle, Judging } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { ReadableBattle } from './access.js';
import { readableBattle } from './access.js';
import { battleView } from './battle-view.js';
import { battleWarnings, countWarnings } from './battle-warnings.js';
import { mayAttribute, mayVote, seesContenders } from './blindness.js';
import { submissionsOf } from './submissions.js';

/** Reads a battle with what the caller may know of its contenders in its present status. */
export async function readBattle(ctx: Context, battleId: string): Promise<Battle> {
  const found = await readableBattle(ctx, battleId);
  const { battle, contenders, viewer } = found;
  const votes = await mayVote(ctx, found);
  const visible = contenders.filter((each) => votes || mayAttribute(battle, viewer, each));
  const submissions = await submissionsOf(
    ctx,
    battleId,
    visible.map(({ id }) => id),
  );
  const counted = { contenders, submitted: submissions.length };
  const warnings = seesContenders(battle, viewer)
    ? await battleWarnings(ctx, battle, counted)
    : countWarnings(battle, counted);
  return battleView(found, { submissions, mayVote: votes, judging: await readJudging(ctx, found), warnings });
}

/** The progress of the judging; null before it starts. Its run is for the creator. */
export async function readJudging(ctx: Context, { battle, viewer }: ReadableBattle): Promise<Judging | null> {
  const { id, judgingRunId, judgingTotal: total } = battle;
  if (judgingRunId === null) return null;
  const [row] = await ctx.db.query<[{ status: string | null; judged: number }]>(
    `select (select status from runs where id = $2 limit 1) as status,
            (select count(*)::int from battle_judgements where battle_id = $1) as judged`,
    [id, judgingRunId],
  );
  return { ...row, runId: viewer.isCreator ? judgingRunId : null, total };
}
