import type { PlatformExecutionArtifact } from '@lensforge/contracts';
import { type Context, type CountedPage, type PagePosition, countedPage, notFound } from '@lensforge/core';
import { readableRun } from '../access.js';

export const artifactObject = `jsonb_build_object(
    'id', a.id, 'artifactKind', a.kind, 'contentText', a.content_text, 'contentJson', a.content_json,
    'isPrimaryOutput', a.is_primary_output, 'visibility', a.visibility, 'createdAt', iso(a.created_at))`;

const ofRun = `
  select ${artifactObject} as artifact from run_artifacts a where a.run_id = $1 order by a.is_primary_output desc, a.id limit $2 offset $3`;

const byId = `
  select ${artifactObject} as artifact from run_artifacts a where a.run_id = $1 and a.id = $2`;

/** Lists the artifacts of a run, its primary output first. */
export async function listArtifacts(
  ctx: Context,
  { runId, limit, offset = 0 }: { runId: string } & PagePosition,
): Promise<CountedPage<PlatformExecutionArtifact>> {
  await readableRun(ctx, runId);
  const [rows, [{ total }]] = await Promise.all([
    ctx.db.query<{ artifact: PlatformExecutionArtifact }[]>(ofRun, [runId, limit, offset]),
    ctx.db.query<[{ total: number }]>('select count(*)::int as total from run_artifacts where run_id = $1', [runId]),
  ]);
  return countedPage(
    rows.map(({ artifact }) => artifact),
    { limit, offset, total },
  );
}

export async function readArtifact(
  ctx: Context,
  { runId, artifactId }: { runId: string; artifactId: string },
): Promise<PlatformExecutionArtifact> {
  await readableRun(ctx, runId);
  const [row] = await ctx.db.query<{ artifact: PlatformExecutionArtifact }[]>(byId, [runId, artifactId]);
  if (!row) throw notFound('artifact', artifactId);
  return row.artifact;
}
