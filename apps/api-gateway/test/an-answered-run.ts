import { type Context, newId } from '@lensforge/core';

/** A run of the newest version of a lens that has ended with an answer; its id. */
export async function anAnsweredRun(
  { db }: Pick<Context, 'db'>,
  { accountId, lensId, params = {} }: { accountId: string; lensId: string; params?: Record<string, unknown> },
): Promise<string> {
  const runId = newId();
  await db.query(
    `insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at, started_at, completed_at)
     select $1, $1, $2, 'lens', l.id, l.head_version_id, 'succeeded', $4::jsonb, m.id, now(), now(), now()
       from lenses l, models m where l.id = $3 and m.is_default`,
    [runId, accountId, lensId, JSON.stringify(params)],
  );
  await db.query(
    `insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility) values ($1, $1, 'text', 'Tea.', true, 'private')`,
    [runId],
  );
  return runId;
}
