import { DomainError } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import { Model } from './model.entity.js';

const freshFor = 10_000;
const catalogues = new WeakMap<object, { models: Model[]; readAt: number }>();

/** The catalogue changes by an operator's hand only: it is read again every few seconds and when a name is unknown. */
async function catalogue(db: EntityManager, { again = false } = {}): Promise<Model[]> {
  const known = catalogues.get(db.dataSource);
  if (known && !again && Date.now() - known.readAt < freshFor) return known.models;
  const models = await db.find(Model, { order: { providerKey: 'ASC', key: 'ASC' } });
  catalogues.set(db.dataSource, { models, readAt: Date.now() });
  return models;
}

export interface ModelWish {
  modelOverride?: string | undefined;
  providerOverride?: string | undefined;
}

/** The model that a request asks for, or the platform's default. An unknown name is refused with the known ones. */
export async function chooseModel(db: EntityManager, wish: ModelWish): Promise<Model> {
  const model = pick(await catalogue(db), wish) ?? pick(await catalogue(db, { again: true }), wish);
  if (model) return model;
  const models = await catalogue(db);
  const providers = [...new Set(models.map(({ providerKey }) => providerKey))];
  if (wish.providerOverride !== undefined && !providers.includes(wish.providerOverride)) {
    throw new DomainError(
      'BAD_INPUT',
      `providerOverride: there is no provider ${wish.providerOverride}; known are ${providers.join(', ')}`,
    );
  }
  const names = models
    .filter(({ providerKey }) => wish.providerOverride === undefined || providerKey === wish.providerOverride)
    .map(nameOf);
  const asked =
    wish.modelOverride === undefined
      ? 'there is no default model, so one must be named'
      : `there is no model ${wish.modelOverride}`;
  throw new DomainError('BAD_INPUT', `modelOverride: ${asked}; known are ${names.join(', ')}`);
}

export const nameOf = ({ providerKey, key }: Model): string => `${providerKey}/${key}`;

function pick(models: readonly Model[], { modelOverride, providerOverride }: ModelWish): Model | undefined {
  const offered = models.filter(
    ({ providerKey }) => providerOverride === undefined || providerKey === providerOverride,
  );
  if (modelOverride === undefined)
    return offered.find(({ isDefault }) => isDefault) ?? (providerOverride === undefined ? undefined : offered[0]);
  return offered.find((model) => [model.id, model.key, nameOf(model)].includes(modelOverride));
}

const charactersPerToken = 4;

/** What a run may cost at most, as far as can be said before it started. */
export function estimateCost(model: Model, prompt: string): number {
  return costOf(model, { input: Math.ceil(prompt.length / charactersPerToken), output: model.maxOutputTokens });
}

export function costOf(
  model: Pick<Model, 'creditsPer1kInput' | 'creditsPer1kOutput'>,
  tokens: { input: number; output: number },
): number {
  return Math.ceil((tokens.input * model.creditsPer1kInput + tokens.output * model.creditsPer1kOutput) / 1000);
}
