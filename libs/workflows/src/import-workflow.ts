import type { Context } from '@lensforge/core';
import { DomainError, badInput, nestBadInput, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { createLens, readableLens } from '@lensforge/lenses';
import { requireAccount } from './access.js';
import { checkReferences } from './check-references.js';
import { insertSchedule, readSchedule } from './create-schedule.js';
import type { WorkflowDocument } from './export-workflow.js';
import { maxVersions } from './export-workflow.js';
import type { Graph } from './graph.js';
import { allNodes } from './graph.js';
import { readGraphs } from './read-graph.js';
import { insertWorkflow } from './write-workflow.js';

/** A document without what it was called elsewhere. */
export type ImportedWorkflow = Omit<WorkflowDocument, 'id' | 'versions'> & {
  id?: string | undefined;
  versions: { graph: unknown; changelog: string; createdAt: string }[];
};

/**
 * A new workflow of the caller's, made of what `exportWorkflow` gave out. Lenses that the caller cannot reach are made
 * from the document, private; where it calls itself it calls the new one. Schedules come paused.
 */
export async function importWorkflow(ctx: Context, document: ImportedWorkflow): Promise<{ workflowId: string }> {
  requireAccount(ctx);
  const versions = await versionsOf(ctx, document);
  const workflowId = newId();
  const schedules = document.schedules.map((schedule, index) =>
    at(`schedules[${index}]`, () => readSchedule(schedule)),
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

async function versionsOf(ctx: Context, { versions }: ImportedWorkflow): Promise<ReadVersion[]> {
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

function at<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (reason) {
    throw nestBadInput(path, reason);
  }
}

/** For each lens of the document that the caller cannot reach, one of their own. */
async function lensesFor(
  ctx: Context,
  { lenses }: ImportedWorkflow,
  versions: readonly ReadVersion[],
): Promise<Map<string, string>> {
  const named = new Set(versions.flatMap(({ graph }) => allNodes(graph).flatMap(({ node }) => lensIdOf(node))));
  const made = new Map<string, string>();
  for (const { id, ...lens } of lenses) {
    if (!named.has(id.toLowerCase())) continue;
    try {
      await readableLens(ctx, id);
    } catch (reason) {
      if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
      const { title, description, templateBody } = lens;
      const created = await createLens(ctx, { title, description, templateBody, visibility: 'private' });
      made.set(id.toLowerCase(), created.lens.id);
    }
  }
  return made;
}

const lensIdOf = (node: Graph['nodes'][number]): string[] =>
  node.type === 'lens' ? [node.settings.lensId.toLowerCase()] : [];

function rename(graph: Graph, lensIds: ReadonlyMap<string, string>, ownId: string | undefined, newId: string): void {
  for (const { node } of allNodes(graph)) {
    if (node.type === 'workflow' && node.settings.workflowId.toLowerCase() === ownId) {
      node.settings.workflowId = newId;
      delete node.settings.version;
    }
    if (node.type !== 'lens') continue;
    const made = lensIds.get(node.settings.lensId.toLowerCase());
    if (made === undefined) continue;
    node.settings.lensId = made;
    delete node.settings.version;
  }
}
