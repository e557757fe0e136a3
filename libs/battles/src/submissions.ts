import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

export interface StoredSubmission {
  contenderId: string;
  /** Null unless the caller asked for the text. */
  contentText: string | null;
  runId: string | null;
  submittedAt: string;
}

const statement = preparedStatement(`
select contender_id as "contenderId", case when contender_id = any($2::uuid[]) then content_text end as "contentText",
       run_id as "runId", iso(submitted_at) as "submittedAt"
  from battle_submissions where battle_id = $1`);

/** The submissions of a battle, with the texts of these contenders. */
export function listSubmissions(
  ctx: Context,
  battleId: string,
  withTexts: readonly string[],
): Promise<StoredSubmission[]> {
  return ctx.db.query<StoredSubmission[]>(statement, [battleId, withTexts]);
}
