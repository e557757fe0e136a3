import type { Context } from '@lensforge/core';

/** The primary output of a run as text, JSON in its usual form; null without one. The caller checks access. */
export async function readOutputText(ctx: Context, runId: string): Promise<string | null> {
  const [output] = await ctx.db.query<{ text: string | null; json: unknown }[]>(
    `select content_text as text, content_json as json from run_artifacts
      where run_id = $1 and is_primary_output order by id limit 1`,
    [runId],
  );
  if (!output) return null;
  const { text, json } = output;
  if (text !== null || json === null) return text;
  return typeof json === 'string' ? json : JSON.stringify(json, null, 2);
}
