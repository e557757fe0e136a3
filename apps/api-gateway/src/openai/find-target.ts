import { type Context, DomainError, isUuid } from '@lensforge/core';
import { aiLenserNamed, requireConsent } from '@lensforge/identity';
import { listNamed } from '@lensforge/lenses';
import { modelNamed } from '@lensforge/models';
import { refuse } from './requests.js';

/** The thing that a request names as its model. */
export type Target =
  | { kind: 'model'; name: string }
  | { kind: 'lens'; id: string; version?: string | undefined }
  | { kind: 'workflow'; id: string; version?: string | undefined }
  | { kind: 'agent'; id: string; modelKey: string | undefined };

const workflowName = /^workflow:([0-9a-f-]{36})(?:@([\w.-]{1,100}))?$/i;
const agentName = /^agent:([a-z0-9_-]{1,64})$/i;
const lensName = /^(?:lens:([0-9a-f-]{36})|([a-z0-9_-]{1,64})\/([^\s@/]{1,100}))(?:@([\w.-]{1,100}))?$/i;

/** A model of the catalogue comes before a lens, so that no handle can take its place. */
export async function findTarget(ctx: Context, name: string): Promise<Target> {
  const [, workflow, workflowVersion] = workflowName.exec(name) ?? [];
  if (workflow !== undefined) return { kind: 'workflow', id: workflow, version: workflowVersion };
  const [, handle] = agentName.exec(name) ?? [];
  if (handle !== undefined) return findAgent(ctx, handle);
  if (await modelNamed(ctx.db, name)) return { kind: 'model', name };
  const [, id, owner, lens, version] = lensName.exec(name) ?? [];
  if (id !== undefined) return { kind: 'lens', id, version };
  if (owner !== undefined && lens !== undefined) return findLens(ctx, { handle: owner, lens, version, name });
  throw unknownModel(name);
}

/** A lens by what `prompt.id` names: its id, or handle/title. */
export async function findPrompt(ctx: Context, name: string, version: string | undefined): Promise<Target> {
  if (isUuid(name)) return { kind: 'lens', id: name, version };
  const [, id, owner, lens, named] = lensName.exec(name) ?? [];
  if (id !== undefined) return { kind: 'lens', id, version: version ?? named };
  if (owner === undefined || lens === undefined)
    throw refuse('prompt.id', 'must be the id of a lens, or handle/title with - between words');
  return findLens(ctx, { handle: owner, lens, version: version ?? named, name });
}

async function findLens(
  ctx: Context,
  { handle, lens, version, name }: { handle: string; lens: string; version: string | undefined; name: string },
): Promise<Target> {
  const [found, other] = await listNamed(ctx, { handle, lens });
  if (!found) throw unknownModel(name);
  if (other) throw refuse('model', `names several lenses of ${handle}: write the id of one in place of its title`);
  return { kind: 'lens', id: found.id, version };
}

async function findAgent(ctx: Context, handle: string): Promise<Target> {
  const { id, aiModelKey, status } = await aiLenserNamed(ctx, handle);
  await requireConsent(ctx, id);
  if (status === 'archived') throw new DomainError('CONFLICT', `The AI lenser ${handle} is archived`);
  return { kind: 'agent', id, modelKey: aiModelKey ?? undefined };
}

const unknownModel = (name: string): DomainError =>
  new DomainError(
    'NOT_FOUND',
    `There is no model ${name.slice(0, 100)}: name a model as provider/key, a lens as handle/title@label, workflow:ID or agent:handle; GET /openai/v1/models lists yours`,
  );
