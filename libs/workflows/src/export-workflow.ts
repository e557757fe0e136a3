import { largestWorkflowFile } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, badInput } from '@lensforge/core';
import { canChange, readableWorkflow } from './access.js';
import type { Graph } from './graph.js';
import type { LensShelf } from './lens-shelf.js';
import { everyNode } from './read-graph.js';
import type { MissedPolicy, OverlapPolicy } from './schedule.entity.js';
import type { WorkflowVisibility } from './workflow.entity.js';

export interface ExportedVersion {
  graph: Graph;
  changelog: string;
  createdAt: string;
}

export interface ExportedLens {
  /** As the graphs name it. */
  id: string;
  title: string;
  description: string;
  templateBody: string;
}

export interface ExportedSchedule {
  title: string;
  cron: string;
  timeZone: string;
  inputs: Record<string, unknown>;
  overlap: OverlapPolicy;
  missed: MissedPolicy;
}

/** A workflow with all its versions, the oldest first, and the lenses that it needs: it means the same anywhere. */
export interface WorkflowDocument {
  format: 'lensforge.workflow';
  formatVersion: 1;
  /** As its graphs name it where it calls itself. */
  id: string;
  title: string;
  description: string;
  visibility: WorkflowVisibility;
  versions: ExportedVersion[];
  lenses: ExportedLens[];
  schedules: ExportedSchedule[];
}

export const mostVersions = 1000;
const mostLenses = 500;

export async function exportWorkflow(ctx: Context, workflowId: string, shelf: LensShelf): Promise<WorkflowDocument> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id, title, description, visibility } = workflow;
  const [{ count, size }] = await ctx.db.query<[{ count: number; size: number }]>(
    `select count(*)::int as count, coalesce(sum(octet_length(graph::text) + octet_length(to_json(changelog)::text) + 200), 0)::float8 as size
       from workflow_versions where workflow_id = $1`,
    [id],
  );
  if (count > mostVersions || size > largestWorkflowFile.bytes / 2) {
    throw badInput(
      '',
      `This workflow has ${count} versions and ${size} bytes: an export holds ${mostVersions} with ${largestWorkflowFile.bytes / 2} at most; read the versions one by one`,
    );
  }
  const versions = await ctx.db.query<ExportedVersion[]>(
    `select graph, changelog, iso(created_at) as "createdAt" from workflow_versions where workflow_id = $1 order by number`,
    [id],
  );
  const schedules = canChange(ctx, workflow)
    ? await ctx.db.query<ExportedSchedule[]>(
        `select title, cron, time_zone as "timeZone", inputs, overlap, missed from schedules
          where workflow_id = $1 order by created_at, id`,
        [id],
      )
    : [];
  const lenses = await lensesOf(ctx, versions, shelf);
  return {
    ...{ format: 'lensforge.workflow', formatVersion: 1, id, title, description, visibility },
    ...{ versions, lenses, schedules },
  };
}

/** Those that the caller can see, as the newest version that names them does. */
async function lensesOf(ctx: Context, versions: readonly ExportedVersion[], shelf: LensShelf): Promise<ExportedLens[]> {
  const named = new Map(
    versions.flatMap(({ graph }) =>
      everyNode(graph).flatMap(({ node }) =>
        node.type === 'lens' ? [[node.settings.lensId, node.settings.version] as const] : [],
      ),
    ),
  );
  const found: ExportedLens[] = [];
  for (const [id, version] of [...named].slice(-mostLenses)) {
    try {
      const { title, description, templateBody } = await shelf.find(ctx, id, version);
      found.push({ id, title, description, templateBody });
    } catch (reason) {
      if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
    }
  }
  return found;
}
