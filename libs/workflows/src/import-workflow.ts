import { type Context, DomainError, badInput, nestBadInput, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { createLens, readableLens } from '@lensforge/lenses';
import { requireAccount } from './access.js';
import { checkReferences } from './check-references.js';
import { insertSchedule, readSchedule } from './create-schedule.js';
import { type WorkflowDocument, maxVersions } from './export-workflow.js';
import type { Graph } from './node-types.js';
import { allNodes } from './graph.js';
import { readGraphs } from './read-graph.js';
import { insertWorkflow } from './write-workflow.js';

/** An exported document; its id is optional and its graphs are not checked yet. */
export type ImportedWorkflow = Omit<WorkflowDocument, 'id' | 'versions'> & {
  id?: string | undefined;
  versions: { graph: unknown; changelog: string; createdAt: string }[];
};

/**
 * Creates a workflow of the caller from an exported document. Lenses that the caller cannot reach are created as private
 * ones, calls to itself refer to the new workflow, and schedules start paused.
 */
export async function importWorkflow(ctx: Context, document: ImportedWorkflow): Promise<{ workflowId: string }> {
  requireAccount(ctx);
  const versions = await readVersions(ctx, document);
  const workflowId = newId();
  const schedules = document.schedules.map((schedule, index) =>
    atPath(`schedules[${index}]`, () => readSchedule(schedule)),
  );
  await inTransaction(ctx, async (ctx) => {
    const lensIds = await lensesFor(ctx, document, versions);
    for (const { graph } of versions) rename(graph, lensIds, document.id?.toLowerCase(), workflowId);
    const { title, description, visibility } = document;
    await insertWorkflow(ctx, { id: workflowId, title, description, visibility }, versions);
    const newest = versions.at(-1);
    if (newest) await checkReferences(ctx, newest.graph);
    for (const schedule of schedules) {
      await insertSchedule(ctx, workflowId, schedule, { pausedReason: 'it was imported' });
    }
  });
  return { workflowId };
}

interface ReadVersion {
  graph: Graph;
  changelog: string;
  createdAt: Date;
}

async function readVersions(ctx: Context, { versions }: ImportedWorkflow): Promise<ReadVersion[]> {
  if (versions.length === 0 || versions.length > maxVersions) {
    throw badInput('versions', `a workflow has 1 to ${maxVersions} versions`);
  }
  const graphs = await readGraphs(
    ctx,
    versions.map(({ graph }) => graph),
    (index) => `versions[${index}].graph.`,
  );
  return versions.map(({ changelog, createdAt }, index) => ({
    graph: graphs[index] as Graph,
    changelog,
    createdAt: new Date(createdAt),
  }));
}

function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (reason) {
    throw nestBadInput(path, reason);
  }
}

/** Creates the lenses that the caller cannot reach; maps their old ids to new ones. */
async function lensesFor(
  ctx: Context,
  { lenses }: ImportedWorkflow,
  versions: readonly ReadVersion[],
): Promise<Map<string, string>> {
  const named = new Set(versions.flatMap(({ graph }) => allNodes(graph).flatMap(({ node }) => getLensIds(node))));
  const newIds = new Map<string, string>();
  for (const { id, ...lens } of lenses) {
    if (!named.has(id.toLowerCase())) continue;
    try {
      await readableLens(ctx, id);
    } catch (reason) {
      if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
      const { title, description, templateBody, settings, includes = null } = lens;
      const content = { title, description, templateBody, settings };
      const created = await createLens(ctx, { ...content, visibility: 'private', imported: { includes } });
      newIds.set(id.toLowerCase(), created.lens.id);
    }
  }
  return newIds;
}

const getLensIds = (node: Graph['nodes'][number]): string[] =>
  node.type === 'lens' ? [node.settings.lensId.toLowerCase()] : [];

function rename(graph: Graph, lensIds: ReadonlyMap<string, string>, ownId: string | undefined, newId: string): void {
  for (const { node } of allNodes(graph)) {
    if (node.type === 'workflow' && node.settings.workflowId.toLowerCase() === ownId) {
      node.settings.workflowId = newId;
      delete node.settings.version;
    }
    if (node.type !== 'lens') continue;
    const created = lensIds.get(node.settings.lensId.toLowerCase());
    if (created === undefined) continue;
    node.settings.lensId = created;
    delete node.settings.version;
  }
}
