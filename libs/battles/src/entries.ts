import { type Context, badInput } from '@lensforge/core';
import { listSubmissions } from './submissions.js';

const maxCharacters = 100_000;

/** Why a text cannot be an entry; undefined for one that can. Characters are code points. */
export function entryFault(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (text.includes('\0')) return 'must not contain the character U+0000';
  const isTooLong =
    text.length > maxCharacters && (text.length > maxCharacters * 2 || [...text].length > maxCharacters);
  return isTooLong ? `must have at most ${maxCharacters} characters` : undefined;
}

export function requireEntry(text: string): void {
  const fault = entryFault(text);
  if (fault !== undefined) throw badInput('contentText', fault);
}

/** The contenders of a battle who have submitted. */
export async function submittedIds(ctx: Context, battleId: string): Promise<Set<string>> {
  return new Set((await listSubmissions(ctx, battleId, [])).map(({ contenderId }) => contenderId));
}

export interface NewSubmission {
  battleId: string;
  contenderId: string;
  text: string;
  /** The run that wrote the text; null for one that a caller submitted. */
  runId: string | null;
}

/** Inserts or replaces the submission of a contender; returns true when there was one before. */
export async function writeSubmission(
  ctx: Context,
  { battleId, contenderId, text, runId }: NewSubmission,
): Promise<boolean> {
  const [{ replaced }] = await ctx.db.query<[{ replaced: boolean }]>(
    `with before as (select from battle_submissions where contender_id = $1), written as (
       insert into battle_submissions (contender_id, battle_id, content_text, run_id, submitted_at)
       values ($1, $2, $3, $4, clock_timestamp())
       on conflict (contender_id) do update
          set content_text = excluded.content_text, run_id = excluded.run_id, submitted_at = excluded.submitted_at
     )
     select exists (select from before) as replaced`,
    [contenderId, battleId, text, runId],
  );
  return replaced;
}
