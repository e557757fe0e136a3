import type { JudgeAgreement, ReviewAgreement } from '@lensforge/contracts';
import { type Context, groupBy } from '@lensforge/core';
import { krippendorffAlpha } from '../statistics/agreement.js';
import { average } from '../statistics/intervals.js';
import { ownQueue } from './review-queues.js';

const mostItems = 10_000;
const mostDisagreements = 20;
const verdictFrom = 0.5;

interface Reviewed {
  itemId: string;
  runId: string;
  state: string;
  people: number | null;
  judge: number | null;
  reason: string | null;
  scores: number[];
}

/** How far the reviewers of a queue of the caller agree with each other, and with the judge that it names. */
export async function readReviewAgreement(ctx: Context, queueId: string): Promise<ReviewAgreement> {
  const { id, compareWith } = await ownQueue(ctx, queueId, 'lenses:read');
  const items = await ctx.db.query<Reviewed[]>(
    `select i.id as "itemId", i.run_id as "runId", i.state, i.score as people, j.score as judge, j.reason,
            coalesce((select array_agg(r.score) from reviews r where r.run_id = i.run_id and r.queue_id = $1), '{}') as scores
       from review_items i
       left join lateral (select s.score, s.reason from run_scores s
                           where s.run_id = i.run_id and s.name = $2 and s.score is not null order by s.created_at desc limit 1) j on true
      where i.queue_id = $1 order by i.id desc limit $3`,
    [id, compareWith, mostItems],
  );
  const byState = groupBy(items, ({ state }) => state);
  return {
    items: items.length,
    done: byState.get('done')?.length ?? 0,
    tied: byState.get('tied')?.length ?? 0,
    reviews: items.reduce((sum, { scores }) => sum + scores.length, 0),
    alpha: krippendorffAlpha(items.map(({ scores }) => scores)),
    judge: compareWith === null ? null : compareJudge(compareWith, items),
  };
}

function compareJudge(name: string, items: readonly Reviewed[]): JudgeAgreement {
  const both = items.flatMap(({ people, judge, ...item }) =>
    people === null || judge === null ? [] : [{ ...item, people, judge }],
  );
  const isSame = both.map(({ people, judge }) => Number(people >= verdictFrom === judge >= verdictFrom));
  const difference = ({ people, judge }: (typeof both)[number]): number => Math.abs(judge - people);
  return {
    name,
    items: both.length,
    sameVerdict: both.length === 0 ? null : average(isSame),
    alpha: krippendorffAlpha(both.map(({ people, judge }) => [people, judge])),
    bias: both.length === 0 ? null : average(both.map(({ people, judge }) => judge - people)),
    disagreements: both
      .filter((each) => difference(each) > 0)
      .sort((one, other) => difference(other) - difference(one))
      .slice(0, mostDisagreements)
      .map(({ itemId, runId, people, judge, reason }) => ({ itemId, runId, people, judge, reason })),
  };
}
