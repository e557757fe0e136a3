import { type Context, toAuthority, newId } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { Graph } from './node-types.js';
import { type WorkflowVisibility, Workflow } from './workflow.entity.js';

export interface VersionRow {
  graph: Graph;
  changelog: string;
  createdAt: Date;
}

export interface WorkflowRow {
  id: string;
  title: string;
  description: string;
  visibility: WorkflowVisibility;
}

/** Inserts a workflow of the caller with its versions, oldest first; in a transaction. */
export async function insertWorkflow(
  ctx: Context,
  workflow: WorkflowRow,
  versions: readonly VersionRow[],
): Promise<void> {
  const rows = versions.map(({ graph, changelog, createdAt }, index) => ({
    id: newId(),
    number: index + 1,
    graph,
    changelog,
    created_at: createdAt.toISOString(),
  }));
  const head = rows.at(-1);
  if (!head) throw new Error('a workflow has at least one version');
  const now = ctx.now();
  await ctx.db.insert(Workflow, {
    id: workflow.id,
    accountId: ctx.actor.accountId,
    title: workflow.title,
    description: workflow.description,
    visibility: workflow.visibility,
    headVersionId: head.id,
    createdAt: now,
    updatedAt: now,
  });
  await ctx.db.query(
    `insert into workflow_versions (id, workflow_id, number, graph, changelog, created_at, editor)
     select id, $2, number, graph, changelog, created_at, $3
       from jsonb_to_recordset($1::jsonb) as x (id uuid, number int, graph jsonb, changelog text, created_at timestamptz)`,
    [toJsonb(rows), workflow.id, toJsonb(toAuthority(ctx.actor))],
  );
}
