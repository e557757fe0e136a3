import type { Context } from '@lensforge/core';
import { textCovariates } from '../ratings/text-covariates.js';
import type { PublishedBattle } from './published-battles.js';

/** Texts that are read at a time; each has up to 100,000 characters. */
const atATime = 20;

/** Computes and stores the covariates of texts that have none yet; the texts of published battles do not change. */
export async function recordStyles(ctx: Context, battles: readonly PublishedBattle[]): Promise<void> {
  const missing = battles.flatMap(({ contenders }) => contenders).filter(({ length }) => length === null);
  for (let from = 0; from < missing.length; from += atATime) {
    const some = missing.slice(from, from + atATime);
    const texts = await ctx.db.query<{ id: string; text: string }[]>(
      'select contender_id as id, content_text as text from battle_submissions where contender_id = any($1)',
      [some.map(({ id }) => id)],
    );
    const styles = new Map(texts.map(({ id, text }) => [id, textCovariates(text)]));
    for (const contender of some) Object.assign(contender, styles.get(contender.id));
    await ctx.db.query(
      `update battle_submissions s set style_length = d.length, style_format = d.format
         from unnest($1::uuid[], $2::float8[], $3::float8[]) as d (id, length, format) where s.contender_id = d.id`,
      [
        [...styles.keys()],
        [...styles.values()].map(({ length }) => length),
        [...styles.values()].map(({ format }) => format),
      ],
    );
  }
}
