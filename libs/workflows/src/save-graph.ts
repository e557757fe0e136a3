import { type Context, toAuthority, exceeds, newId, requireNewestBase } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { readableWorkflow, writableWorkflow } from './access.js';
import { checkReferences } from './check-references.js';
import type { Graph } from './node-types.js';
import { readGraph } from './read-graph.js';
import type { VersionDetail } from './shapes.js';
import { readEditor, readVersion } from './version-reads.js';
import { Workflow } from './workflow.entity.js';

export interface SaveGraphInput {
  workflowId: string;
  graph: unknown;
  changelog?: string | undefined;
  /** The version on which the graph was made; another newest version refuses it. */
  baseVersionId?: string | undefined;
}

/** Validates a graph with the lenses and workflows that it names, and fills in defaults. */
export async function acceptableGraph(ctx: Context, value: unknown): Promise<Graph> {
  const graph = await readGraph(ctx, value);
  await checkReferences(ctx, graph);
  return graph;
}

/**
 * Saves a graph as a new version. An unchanged graph is the newest version, unless the caller has rights that its editor
 * lacked: the new version lets triggers use them.
 */
export async function saveGraph(
  ctx: Context,
  { workflowId, graph: graphInput, changelog = '', baseVersionId }: SaveGraphInput,
): Promise<VersionDetail & { isNew: boolean }> {
  await readableWorkflow(ctx, workflowId);
  const graph = await acceptableGraph(ctx, graphInput);
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    const editor = toAuthority(ctx.actor);
    const isWider = exceeds(editor, await readEditor(ctx, workflow.headVersionId));
    const written = await ctx.db.query<{ id: string }[]>(
      `insert into workflow_versions (id, workflow_id, number, graph, changelog, created_at, editor)
       select $1, $2, v.number + 1, $4::jsonb, $5, $6, $7 from workflow_versions v
        where v.id = $3 and (v.graph <> $4::jsonb or $8) returning id`,
      [newId(), workflow.id, workflow.headVersionId, toJsonb(graph), changelog, ctx.now(), toJsonb(editor), isWider],
    );
    const id = written[0]?.id ?? workflow.headVersionId;
    if (written.length > 0) {
      requireNewestBase(workflow.headVersionId, baseVersionId);
      await ctx.db.update(Workflow, { id: workflow.id }, { headVersionId: id, updatedAt: ctx.now() });
    }
    return { ...(await readVersion(ctx.db, workflow, id)), isNew: written.length > 0 };
  });
}
