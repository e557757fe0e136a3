import { type Context, DomainError, isUuid } from '@lensforge/core';
import { aiLenserNamed, requireConsent } from '@lensforge/identity';
import { findByName, readLensName } from '@lensforge/lenses';
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

/** A model of the catalogue comes before a lens, so that no handle can take its place. */
export async function findTarget(ctx: Context, name: string): Promise<Target> {
  const [, workflow, workflowVersion] = workflowName.exec(name) ?? [];
  if (workflow !== undefined) return { kind: 'workflow', id: workflow, version: workflowVersion };
  const [, handle] = agentName.exec(name) ?? [];
  if (handle !== undefined) return findAgent(ctx, handle);
  if (await modelNamed(ctx.db, name)) return { kind: 'model', name };
  const lens = readLensName(name);
  if (!lens) throw unknownModel(name);
  return { kind: 'lens', id: await findByName(ctx, lens), version: lens.version };
}

/** A lens by what `prompt.id` names: its id, or handle/title. */
export async function findPrompt(ctx: Context, name: string, version: string | undefined): Promise<Target> {
  if (isUuid(name)) return { kind: 'lens', id: name, version };
  const lens = readLensName(name);
  if (!lens) throw refuse('prompt.id', 'must be the id of a lens, or handle/title with - between words');
  return { kind: 'lens', id: await findByName(ctx, lens), version: version ?? lens.version };
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
