import type { Context } from '@lensforge/core';
import { readableWorkflow } from './access.js';
import type { Graph } from './node-types.js';
import type { VersionSummary } from './shapes.js';
import { countNodes } from './version-reads.js';

export interface VersionPage {
  versions: VersionSummary[];
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}

type Row = Omit<VersionSummary, 'nodeCount'> & { graph: Graph };

/** Lists the versions of a workflow, newest first. */
export async function listWorkflowVersions(
  ctx: Context,
  { workflowId, limit = 20, offset = 0 }: { workflowId: string; limit?: number; offset?: number },
): Promise<VersionPage> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const [rows, [{ total }]] = await Promise.all([
    ctx.db.query<Row[]>(
      `select id, number, graph, changelog, iso(created_at) as "createdAt" from workflow_versions
        where workflow_id = $1 and candidate is null order by number desc limit $2 offset $3`,
      [workflow.id, limit, offset],
    ),
    ctx.db.query<[{ total: number }]>(
      'select count(*)::int as total from workflow_versions where workflow_id = $1 and candidate is null',
      [workflow.id],
    ),
  ]);
  const versions = rows.map(({ graph, ...version }) => ({ ...version, nodeCount: countNodes(graph) }));
  return { versions, total, limit, offset, hasMore: offset + rows.length < total };
}
