import { hash } from 'node:crypto';
import { type Context, exceeds, newId, toAuthority } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { readableWorkflow, writableWorkflow } from './access.js';
import { acceptableGraph } from './save-graph.js';
import type { VersionRef } from './shapes.js';
import { readEditor, readVersion } from './version-reads.js';
import { WorkflowVersion } from './workflow-version.entity.js';

export interface SavedWorkflowCandidate extends VersionRef {
  /** False for the graph of the newest version, which is saved already. */
  isCandidate: boolean;
}

const insertOnce = `
insert into workflow_versions (id, workflow_id, number, graph, changelog, created_at, editor, candidate)
values ($1, $2, $3, $4::jsonb, 'A candidate', $5, $6, $7)
on conflict (workflow_id, candidate) where candidate is not null do nothing`;

/**
 * Saves a graph to run it: the newest version stays, and lists of versions do not have it. The same graph of the same
 * rights is saved once.
 */
export async function saveWorkflowCandidate(
  ctx: Context,
  { workflowId, graph: given }: { workflowId: string; graph: unknown },
): Promise<SavedWorkflowCandidate> {
  await readableWorkflow(ctx, workflowId);
  const graph = await acceptableGraph(ctx, given);
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    const head = await readVersion(ctx.db, workflow, workflow.headVersionId);
    const editor = toAuthority(ctx.actor);
    const json = toJsonb(graph);
    const [same] = await ctx.db.query<[{ same: boolean }]>(
      'select graph = $2::jsonb as same from workflow_versions where id = $1',
      [head.id, json],
    );
    if (same.same && !exceeds(editor, await readEditor(ctx, head.id)))
      return { id: head.id, number: head.number, isCandidate: false };
    const digest = hash('sha256', JSON.stringify([head.number, graph, editor])).slice(0, 32);
    await ctx.db.query(insertOnce, [newId(), workflow.id, head.number, json, ctx.now(), toJsonb(editor), digest]);
    const select = { id: true, number: true } as const;
    const where = { workflowId: workflow.id, candidate: digest };
    const { id, number } = await ctx.db.findOneOrFail(WorkflowVersion, { select, where });
    return { id, number, isCandidate: true };
  });
}
