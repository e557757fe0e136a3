import { type Context, type Rights, isUuid, notFound, readRights } from '@lensforge/core';
import { LRUCache } from 'lru-cache';
import { type EntityManager, In } from 'typeorm';
import type { Graph } from './node-types.js';
import { allNodes } from './graph.js';
import type { VersionDetail } from './shapes.js';
import { WorkflowVersion } from './workflow-version.entity.js';

type Row = Omit<VersionDetail, 'nodeCount'> & Pick<WorkflowVersion, 'editor' | 'candidate'>;

const columns = `
  v.id, v.workflow_id as "workflowId", v.number, v.graph, v.changelog, v.editor, v.candidate, iso(v.created_at) as "createdAt"`;
const byId = `select ${columns} from workflow_versions v where v.id = $1`;
const byLabel = `
  select ${columns} from workflow_labels l join workflow_versions v on v.id = l.version_id where l.workflow_id = $1 and l.label = $2`;
const byNumber = `select ${columns} from workflow_versions v where v.workflow_id = $1 and v.number = $2 and v.candidate is null`;

export interface ServedWorkflow {
  id: string;
  servedVersionId: string;
}

/** A version of a workflow by id, number or label, or the one without a name. Access to the workflow must be checked before. */
export async function readVersion(
  db: EntityManager,
  workflow: ServedWorkflow,
  name?: string | number,
): Promise<VersionDetail> {
  const found = await findByName(db, workflow, name ?? workflow.servedVersionId);
  if (found?.workflowId !== workflow.id) throw notFound('version of this workflow', String(name));
  const { editor: _editor, candidate: _candidate, ...version } = found;
  return { ...version, nodeCount: countNodes(version.graph) };
}

/** The rights of the credential that saved a version. */
export async function readEditor({ db }: Pick<Context, 'db'>, versionId: string): Promise<StoredEditor> {
  const found = await findById(db, versionId);
  return { accountId: found?.editor.accountId ?? null, ...readRights(found?.editor ?? null) };
}

/** `accountId` is null for versions from before editors were stored. */
export interface StoredEditor extends Rights {
  accountId: string | null;
}

/** True for a graph that was run before it was saved. */
export const isCandidate = async ({ db }: Pick<Context, 'db'>, versionId: string): Promise<boolean> =>
  ((await findById(db, versionId))?.candidate ?? null) !== null;

export const countNodes = (graph: Graph): number => allNodes(graph).length;

async function findByName(db: EntityManager, { id }: ServedWorkflow, name: string | number): Promise<Row | undefined> {
  const text = String(name);
  if (isUuid(text)) return findById(db, text);
  if (/^[1-9]\d{0,8}$/.test(text)) return (await db.query<Row[]>(byNumber, [id, Number(text)]))[0];
  return (await db.query<Row[]>(byLabel, [id, text]))[0];
}

/** The graph of a version that a run has pinned. */
export async function graphOfVersion(ctx: Pick<Context, 'db'>, versionId: string): Promise<Graph> {
  const found = await findById(ctx.db, versionId);
  if (!found) throw notFound('workflow version', versionId);
  return found.graph;
}

/** A cache, as versions never change. */
const versions = new LRUCache<string, Row>({ max: 200 });

async function findById(db: EntityManager, versionId: string): Promise<Row | undefined> {
  const known = versions.get(versionId);
  if (known) return known;
  const [found] = await db.query<Row[]>(byId, [versionId]);
  if (found) versions.set(versionId, found);
  return found;
}

/** The names of versions by their ids. */
export async function listWorkflowVersionNames(
  { db }: Pick<Context, 'db'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const select = { id: true, number: true, candidate: true } as const;
  const found = await db.find(WorkflowVersion, { select, where: { id: In([...ids]) } });
  return new Map(
    found.map(({ id, number, candidate }) => [
      id,
      candidate === null ? String(number) : `${number}-candidate.x${candidate.slice(0, 6)}`,
    ]),
  );
}

const equalGraphs = `
select b.id from workflow_versions a join workflow_versions b on b.workflow_id = a.workflow_id and b.graph = a.graph
 where a.id = $1`;

/** The ids of the versions of a workflow with the graph of one of them. */
export const listEqualGraphs = async ({ db }: Pick<Context, 'db'>, versionId: string): Promise<string[]> =>
  (await db.query<{ id: string }[]>(equalGraphs, [versionId])).map(({ id }) => id);
