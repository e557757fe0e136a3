import type { RunMessage } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type Conversation, type StoredVersion, seenLensTitle, versionById } from '@lensforge/lenses';
import { extractImages } from '@lensforge/models';

/** The conversation that a version of a lens makes of the parameters of a run. */
export function resolveParams(version: StoredVersion, params: Record<string, unknown>): Conversation | undefined {
  const resolved = version.resolve(extractImages(version.toValues(params)).params);
  return 'missing' in resolved ? undefined : resolved;
}

export const toMessages = ({ system, prompt, messages = [] }: Conversation): RunMessage[] => [
  ...(system === undefined ? [] : [{ role: 'system' as const, text: system }]),
  { role: 'user', text: prompt },
  ...messages,
];

/**
 * The messages of a run of a lens; null for other runs and for callers that may not read the lens now. The caller has
 * checked that the run may be read.
 */
export async function readLensMessages(ctx: Context, runId: string): Promise<RunMessage[] | null> {
  const [run] = await ctx.db.query<{ versionId: string; params: Record<string, unknown> }[]>(
    `select lens_version_id as "versionId", params from runs r
      where r.id = $1 and r.kind = 'lens' and r.lens_version_id is not null
        and ${seenLensTitle('r.lens_id', '$2')} is not null`,
    [runId, ctx.actor.accountId],
  );
  if (!run) return null;
  const resolved = resolveParams(await versionById(ctx.db, run.versionId), run.params);
  return resolved ? toMessages(resolved) : null;
}
