import type { BattleType, RatedKind } from '@lensforge/contracts';
import { type Context, noAccountId } from '@lensforge/core';

/** A contender with a submission. */
export interface RatedContender {
  id: string;
  /** The lens or workflow that wrote the answer, or else the lenser. */
  rated: string;
  kind: RatedKind;
  displayName: string;
  /** The score of the judge. */
  score: number | null;
  /** Covariates of the text; null until `recordStyles` has computed them. */
  length: number | null;
  format: number | null;
}

export interface PublishedBattle {
  id: string;
  publishedAt: string;
  /** The day on which it was closed, in UTC. */
  day: string;
  contenders: RatedContender[];
}

const page = 250;

const battlesAfter = `
select b.id, b.published_at::text as "publishedAt", b.day, coalesce(c.contenders, '[]') as contenders
  from (select id, published_at, to_char(closed_at at time zone 'UTC', 'YYYY-MM-DD') as day
          from battles where battle_type = $1 and status = 'published' and id > $2 order by id limit ${page}) b
 cross join lateral (
   select json_agg(json_build_object(
            'id', c.id, 'rated', coalesce(c.lens_id, c.workflow_id, c.lenser_account_id), 'displayName', c.display_name,
            'kind', case when c.lens_id is not null then 'lens' when c.workflow_id is not null then 'workflow' else 'lenser' end,
            'score', v.score, 'length', s.style_length, 'format', s.style_format) order by c.slot_label) as contenders
     from battle_contenders c
     join battle_submissions s on s.contender_id = c.id
     left join battle_verdicts v on v.contender_id = c.id
    where c.battle_id = b.id) c
 order by b.id`;

/**
 * The published battles of a type, page by page. Contenders that are rated as one, such as the same lens twice, are left out
 * of their battle: it does not compare them.
 */
export async function* publishedBattles(ctx: Context, battleType: BattleType): AsyncGenerator<PublishedBattle[]> {
  let after = noAccountId;
  for (;;) {
    const battles = await ctx.db.query<PublishedBattle[]>(battlesAfter, [battleType, after]);
    yield battles.map((battle) => ({ ...battle, contenders: battle.contenders.filter(isRatedOnce) }));
    const last = battles.at(-1);
    if (!last || battles.length < page) return;
    after = last.id;
  }
}

const isRatedOnce = ({ rated }: RatedContender, _: number, all: readonly RatedContender[]): boolean =>
  all.filter((other) => other.rated === rated).length === 1;
