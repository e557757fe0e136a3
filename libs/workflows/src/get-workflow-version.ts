import type { Context } from '@lensforge/core';
import { readableWorkflow } from './access.js';
import type { VersionDetail } from './shapes.js';
import { readVersion } from './version-reads.js';

/** A version of a workflow by id or number. */
export async function getWorkflowVersion(
  ctx: Context,
  { workflowId, version }: { workflowId: string; version: string },
): Promise<VersionDetail> {
  return readVersion(ctx.db, await readableWorkflow(ctx, workflowId), version);
}
