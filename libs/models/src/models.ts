import type { FundingSource, ModelCapability } from '@lensforge/contracts';
import { byokProviders } from '@lensforge/contracts';
import type { DomainError } from '@lensforge/core';
import { badInput } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import { Model } from './model.entity.js';

const freshFor = 10_000;
/** A provider that no worker has spoken of for so long is not offered. */
const silence = '2 minutes';

interface Catalogue {
  models: Model[];
  /** Providers that workers can ask in the name of the platform. */
  present: ReadonlySet<string>;
  readAt: number;
}

const catalogues = new WeakMap<object, Catalogue>();

/** The catalogue changes by an operator's hand only: it is read again every few seconds and when a name is unknown. */
async function catalogue(db: EntityManager, { again = false } = {}): Promise<Catalogue> {
  const known = catalogues.get(db.dataSource);
  if (known && !again && Date.now() - known.readAt < freshFor) return known;
  const models = await db.find(Model, { where: { enabled: true }, order: { providerKey: 'ASC', key: 'ASC' } });
  const rows = await db.query<{ key: string }[]>(
    `select key from providers where seen_at > now() - interval '${silence}'`,
  );
  const fresh = { models, present: new Set(['offline', ...rows.map(({ key }) => key)]), readAt: Date.now() };
  catalogues.set(db.dataSource, fresh);
  return fresh;
}

/** Providers whose models a key of anybody opens: those with one address for all. */
const keyedProviders: readonly string[] = byokProviders.filter((key) => key !== 'openai-compatible');

export interface ModelCriteria {
  modelOverride?: string | undefined;
  providerOverride?: string | undefined;
  fundingSource?: FundingSource | undefined;
  /** Of the caller: the key to an endpoint with models of its own. */
  endpointKeyId?: string | undefined;
  /** What the request asks for that not every model can do. */
  needs?: readonly ModelCapability[] | undefined;
  /** The names of the models that may be used, where whoever pays has said so. */
  among?: readonly string[] | undefined;
}

export interface ChosenModel extends Model {
  /** Who is asked instead, in order, as far as they can do what is asked for. */
  alternatives: readonly Model[];
}

/** The model that a request asks for, or the platform's default. What cannot be is refused with what can. */
export async function chooseModel(db: EntityManager, wish: ModelCriteria): Promise<ChosenModel> {
  if (wish.endpointKeyId !== undefined) return chooseAt(await endpoint(db, wish.endpointKeyId), wish);
  const known = await catalogue(db);
  const chosen = pick(known, wish) ?? pick(await catalogue(db, { again: true }), wish);
  if (!chosen) throw refusal(await catalogue(db), wish);
  return { ...chosen, alternatives: alternativesTo(chosen, usable(await catalogue(db), wish), wish) };
}

function chooseAt(known: Catalogue, wish: ModelCriteria): ChosenModel {
  const chosen = pick(known, wish);
  if (!chosen) throw refusal(known, wish);
  return { ...chosen, alternatives: [] };
}

/** Which of these names are of no model that the platform offers. */
export async function unknownModels(db: EntityManager, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { models } = await catalogue(db, { again: true });
  return names.filter((name) => !models.some((model) => nameOf(model) === name));
}

/** What is to be found at an endpoint of a user, in the order in which it was listed. */
async function endpoint(db: EntityManager, byokKeyId: string): Promise<Catalogue> {
  const models = await db.find(Model, { where: { byokKeyId }, order: { defaultRank: 'ASC' } });
  return { models, present: new Set(), readAt: Date.now() };
}

/** The models that a caller can use, as a list; `isDefault` marks the one that is used when none is named. */
export async function usableModels(db: EntityManager, wish: ModelCriteria = {}): Promise<Model[]> {
  const { fundingSource, endpointKeyId } = wish;
  const all = endpointKeyId === undefined ? await catalogue(db) : await endpoint(db, endpointKeyId);
  const standard = pick(all, { fundingSource, endpointKeyId });
  return usable(all, wish).map((model) => ({ ...model, isDefault: model.id === standard?.id }));
}

/** A model by its id for whoever executes what was accepted, also when it is no longer offered. */
export async function modelById(
  db: EntityManager,
  id: string,
  wish: Pick<ModelCriteria, 'fundingSource' | 'needs' | 'among'> = {},
): Promise<ChosenModel | undefined> {
  const { models } = await catalogue(db);
  const found = models.find((model) => model.id === id) ?? (await db.findOneBy(Model, { id })) ?? undefined;
  return found && { ...found, alternatives: alternativesTo(found, models, wish) };
}

export const nameOf = ({ providerKey, key }: Pick<Model, 'providerKey' | 'key'>): string => `${providerKey}/${key}`;

function usable(
  { models, present }: Catalogue,
  { fundingSource, providerOverride, endpointKeyId, among }: ModelCriteria,
): Model[] {
  const can = (key: string): boolean => {
    if (fundingSource === 'user_byok_local' || endpointKeyId !== undefined) return true;
    return fundingSource === 'user_byok_cloud' ? keyedProviders.includes(key) : present.has(key);
  };
  return models.filter(
    (model) =>
      can(model.providerKey) &&
      (providerOverride === undefined || model.providerKey === providerOverride) &&
      (among?.includes(nameOf(model)) ?? true),
  );
}

const canDo = ({ capabilities }: Model, needs: readonly ModelCapability[] = []): boolean =>
  needs.every((need) => capabilities.includes(need));

const isNamed = (model: Model, name: string): boolean => [model.id, model.key, nameOf(model)].includes(name);

function pick(all: Catalogue, wish: ModelCriteria): Model | undefined {
  const { modelOverride, providerOverride, needs } = wish;
  const offered = usable(all, wish).filter((model) => canDo(model, needs));
  if (modelOverride !== undefined) return offered.find((model) => isNamed(model, modelOverride));
  const [ranked] = offered
    .filter(({ defaultRank }) => defaultRank !== null && wish.fundingSource !== 'user_byok_local')
    .sort((one, other) => (one.defaultRank ?? 0) - (other.defaultRank ?? 0));
  const [sponsored] = (wish.among ?? []).flatMap((name) => offered.find((model) => nameOf(model) === name) ?? []);
  const ofProvider = providerOverride === undefined ? undefined : offered[0];
  return ranked ?? offered.find(({ isDefault }) => isDefault) ?? sponsored ?? ofProvider;
}

/** A key of one's own opens its provider only. */
function alternativesTo(model: Model, offered: readonly Model[], { fundingSource, needs, among }: ModelCriteria): Model[] {
  return model.fallbacks.flatMap((name) => {
    if (among && !among.includes(name)) return [];
    const other = offered.find((each) => nameOf(each) === name && each.id !== model.id);
    const mayBeAsked = fundingSource !== 'user_byok_cloud' || other?.providerKey === model.providerKey;
    return other && mayBeAsked && canDo(other, needs) ? [other] : [];
  });
}

/** Says which part of a wish cannot be met, and what could be asked for instead. */
function refusal(all: Catalogue, wish: ModelCriteria): DomainError {
  const { modelOverride, providerOverride, needs = [], among } = wish;
  const providers = (models: readonly Model[]) => listed([...new Set(models.map(({ providerKey }) => providerKey))]);
  const names = (models: readonly Model[]) => listed(models.map(nameOf));
  const open = usable(all, { ...wish, providerOverride: undefined });
  const offered = usable(all, wish);
  if (providerOverride !== undefined && offered.length === 0) {
    const there = all.models.some(({ providerKey }) => providerKey === providerOverride);
    const what = there ? `${providerOverride} ${whyNot(wish)}` : `there is no provider ${providerOverride}`;
    return badInput('providerOverride', `${what}; usable are ${providers(open)}`);
  }
  if (among && offered.length === 0) {
    const models = among.join(', ');
    return badInput(
      'modelOverride',
      `none of the models that the sponsor of this lens pays for can be used: ${models}`,
    );
  }
  const meant = modelOverride === undefined ? undefined : all.models.find((model) => isNamed(model, modelOverride));
  const named = modelOverride === undefined ? offered : offered.filter((model) => isNamed(model, modelOverride));
  if (named.length === 0) {
    const asked =
      meant && !open.includes(meant) ? `${nameOf(meant)} ${whyNot(wish)}` : `there is no model ${modelOverride ?? ''}`;
    return badInput('modelOverride', `${asked}; usable are ${names(offered)}`);
  }
  const lacking = needs.filter((need) => !named.some((model) => canDo(model, [need])));
  if (needs.length > 0 && !named.some((model) => canDo(model, needs))) {
    const able = names(open.filter((model) => canDo(model, needs)));
    const who = modelOverride === undefined ? 'every usable model' : names(named);
    const cannot = listed(lacking.length > 0 ? lacking : needs);
    return badInput(
      'modelOverride',
      `${who} lacks the capability ${cannot}, which this request needs; models that have it: ${able}`,
    );
  }
  return badInput('modelOverride', `is required, since there is no default model; usable are ${names(offered)}`);
}

const listed = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none');

function whyNot({ fundingSource, among }: ModelCriteria): string {
  if (fundingSource === 'user_byok_cloud') return 'cannot be used with a key of your own';
  if (among) return 'cannot be used: the sponsor of this lens does not pay for it, or the platform has no key for it';
  return 'cannot be used: this platform has no key for it at the moment';
}
