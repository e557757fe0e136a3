import { type LeaderboardCovariates, leaderboardCovariates } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { PairCounter } from '../ratings/count-pairs.js';
import { rankContenders } from '../ratings/leaderboard.js';
import { TEXT_COVARIATES } from '../ratings/text-covariates.js';
import { type PublishedBattle, publishedBattles } from './published-battles.js';
import { recordStyles } from './record-styles.js';
import { type RefitClaim, completeRefit } from './refit-claims.js';
import { type ComputedLeaderboard, type RatedName, storeLeaderboard } from './store-leaderboard.js';
import { type LeaderboardKey, readVotes } from './vote-log.js';

/**
 * Computes the leaderboards of a battle type and replaces the stored ones at once. It blocks the event loop for as long as it
 * computes, so call it in a process of its own.
 */
export async function refitLeaderboards(ctx: Context, claim: RefitClaim): Promise<void> {
  const { battleType } = claim;
  const computed: ComputedLeaderboard[] = [];
  for (const covariates of leaderboardCovariates) {
    const votes = await computeLeaderboard(ctx, { battleType, source: 'votes', covariates });
    const judges = await computeLeaderboard(ctx, { battleType, source: 'judges', covariates });
    const key = { battleType, source: 'all', covariates } as const;
    const all = isEmpty(judges) ? votes : isEmpty(votes) ? judges : await computeLeaderboard(ctx, key);
    computed.push(votes, judges, { ...all, key });
  }
  await inTransaction(ctx, async (ctx) => {
    for (const each of computed) await storeLeaderboard(ctx, each);
    await completeRefit(ctx, claim);
  });
}

const isEmpty = ({ leaderboard }: ComputedLeaderboard): boolean => leaderboard.ratings.length === 0;

export const listCovariates = (covariates: LeaderboardCovariates): readonly string[] =>
  covariates === 'style' ? TEXT_COVARIATES : [];

async function computeLeaderboard(ctx: Context, key: LeaderboardKey): Promise<ComputedLeaderboard> {
  const names = new Map<string, RatedName>();
  const counter = new PairCounter(listCovariates(key.covariates));
  const begun = processorMs();
  for await (const battles of publishedBattles(ctx, key.battleType)) {
    if (key.covariates === 'style') await recordStyles(ctx, battles);
    for (const battle of battles) nameContenders(names, battle);
    for await (const votes of readVotes(ctx, battles, key)) for (const vote of votes) counter.add(vote);
  }
  const pairs = counter.result();
  const timings: ComputedLeaderboard['timings'] = { reading: processorMs() - begun };
  const leaderboard = rankContenders(pairs, {}, (step, work) => {
    const before = processorMs();
    const result = work();
    timings[step] = processorMs() - before;
    return result;
  });
  return { key, leaderboard, names, timings };
}

function nameContenders(names: Map<string, RatedName>, { contenders, publishedAt }: PublishedBattle): void {
  for (const { rated, kind, displayName } of contenders) {
    if (publishedAt >= (names.get(rated)?.publishedAt ?? '')) names.set(rated, { kind, displayName, publishedAt });
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1000);
}
