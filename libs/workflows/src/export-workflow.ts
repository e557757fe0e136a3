import { type LensSettings, maxWorkflowFile } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { type SizedRow, readInParts } from '@lensforge/database';
import { getLensText } from '@lensforge/lenses';
import { canChange, readableWorkflow } from './access.js';
import type { Graph } from './node-types.js';
import { lensNodePaths } from './lens-node-paths.js';
import type { MissedPolicy, OverlapPolicy } from './schedule.entity.js';
import type { WorkflowVisibility } from './workflow.entity.js';

export interface ExportedVersion {
  graph: Graph;
  changelog: string;
  createdAt: string;
}

export interface ExportedLens {
  /** The id in the graphs. */
  id: string;
  title: string;
  description: string;
  templateBody: string;
  settings?: LensSettings | null | undefined;
  includes?: { tag: string; semver: string; text: string }[] | null | undefined;
}

export interface ExportedSchedule {
  title: string;
  cron: string;
  timeZone: string;
  inputs: Record<string, unknown>;
  overlap: OverlapPolicy;
  missed: MissedPolicy;
}

/** A workflow with all its versions, oldest first, its lenses and schedules; any installation can import it. */
export interface WorkflowDocument {
  format: 'lensforge.workflow';
  formatVersion: 1;
  /** The id by which its graphs call the workflow itself. */
  id: string;
  title: string;
  description: string;
  visibility: WorkflowVisibility;
  versions: ExportedVersion[];
  lenses: ExportedLens[];
  schedules: ExportedSchedule[];
}

export const maxVersions = 1000;
const maxLenses = 500;

/** A document whose versions are read on demand, each as JSON. */
export interface WorkflowExport {
  document: Omit<WorkflowDocument, 'versions'>;
  versions: AsyncIterable<string>;
}

/** Half of the import limit is for graphs, half for lenses. */
const maxPartBytes = maxWorkflowFile.bytes / 2 - 100_000;

const sizes = `
select number as key, octet_length(graph::text) + octet_length(to_json(changelog)::text) + 200 as size
  from workflow_versions where workflow_id = $1 and candidate is null order by number`;

const versionsBetween = `
select json_build_object('graph', graph, 'changelog', changelog, 'createdAt', iso(created_at))::text as version
  from workflow_versions where workflow_id = $1 and candidate is null and number between $2 and $3 order by number`;

/** Exports a workflow that the caller may see; schedules are for its owner only. */
export async function exportWorkflow(ctx: Context, workflowId: string): Promise<WorkflowExport> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id, title, description, visibility } = workflow;
  const rows = await ctx.db.query<SizedRow<number>[]>(sizes, [id]);
  const size = rows.reduce((total, row) => total + row.size, 0);
  if (rows.length > maxVersions || size > maxPartBytes) {
    throw badInput(
      '',
      `This workflow has ${rows.length} versions with ${size} bytes: an export holds ${maxVersions} with ${maxPartBytes} at most; read the versions one by one`,
    );
  }
  const schedules = canChange(ctx, workflow)
    ? await ctx.db.query<ExportedSchedule[]>(
        `select title, cron, time_zone as "timeZone", inputs, overlap, missed from schedules
          where workflow_id = $1 order by created_at, id`,
        [id],
      )
    : [];
  const lenses = await exportLenses(ctx, id);
  return {
    document: { format: 'lensforge.workflow', formatVersion: 1, id, title, description, visibility, lenses, schedules },
    versions: readInParts(rows, async (first, last) => {
      const found = await ctx.db.query<{ version: string }[]>(versionsBetween, [id, first, last]);
      return found.map(({ version }) => version);
    }),
  };
}

const namedLenses = `
select distinct on (named->>'lensId') named->>'lensId' as id, named->>'version' as version
  from (select number, jsonb_path_query(graph, path) -> 'settings' as named
          from workflow_versions, unnest($2::jsonpath[]) path where workflow_id = $1 and candidate is null) found
 order by named->>'lensId', number desc limit ${maxLenses}`;

/** The visible lenses of a workflow, at the version that its newest graph names. */
async function exportLenses(ctx: Context, workflowId: string): Promise<ExportedLens[]> {
  const named = await ctx.db.query<{ id: string; version: string | null }[]>(namedLenses, [workflowId, lensNodePaths]);
  const found: ExportedLens[] = [];
  let size = 0;
  for (const { id, version } of named) {
    try {
      const { title, description, templateBody, settings, includes } = await getLensText(ctx, {
        lensId: id,
        version: version ?? undefined,
      });
      size +=
        templateBody.length + title.length + description.length + JSON.stringify([settings, includes]).length + 200;
      const texts = includes?.map(({ tag, semver, text }) => ({ tag, semver, text })) ?? null;
      found.push({ id, title, description, templateBody, settings, includes: texts });
    } catch (reason) {
      if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
    }
    if (size > maxPartBytes) {
      throw badInput(
        '',
        `This workflow names lenses with more than ${maxPartBytes} characters in all, which is more than an export holds; export the lenses one by one`,
      );
    }
  }
  return found;
}
