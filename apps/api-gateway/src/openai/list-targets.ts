import type { Context } from '@lensforge/core';
import { grants } from '@lensforge/contracts';
import { listAiLensers } from '@lensforge/identity';
import { listOwnNames } from '@lensforge/lenses';
import { toModelName, usableModels } from '@lensforge/models';
import { listWorkflows } from '@lensforge/workflows';
import type { Model } from 'openai/resources/models';

const maxOfKind = 200;

const toSeconds = (at: Date | string): number => Math.floor(new Date(at).getTime() / 1000);

/** The names that a caller can give as a model: models, and the newest lenses, workflows and AI lensers of its own. */
export async function listTargets(ctx: Context): Promise<Model[]> {
  const { accountId: owner, scopes } = ctx.actor;
  const may = (scope: Parameters<typeof grants>[1]): boolean => grants(scopes, scope);
  const [models, lenses, workflows, agents] = await Promise.all([
    usableModels(ctx.db),
    may('lenses:read') ? listOwnNames(ctx, maxOfKind) : [],
    may('workflows:read') ? listWorkflows(ctx, { accountId: owner, limit: maxOfKind }).then(({ items }) => items) : [],
    may('community:read') ? listAiLensers(ctx, { owner, limit: maxOfKind }).then(({ items }) => items) : [],
  ]);
  const row = (id: string, created: Date | string, owned_by: string): Model => ({
    id,
    object: 'model',
    created: toSeconds(created),
    owned_by,
  });
  return [
    ...lenses.map(({ name, createdAt }) => row(name, createdAt, name.split('/', 1)[0] ?? '')),
    ...workflows.map(({ id, createdAt, author }) => row(`workflow:${id}`, createdAt, author.handle)),
    ...agents.map(({ handle, createdAt, owner: { handle: of } }) => row(`agent:${handle}`, createdAt, of)),
    ...models.map((model) => row(toModelName(model), model.createdAt, model.providerKey)),
  ];
}
