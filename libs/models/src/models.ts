import { type FundingSource, type ModelCapability, byokProviders, didYouMean } from '@lensforge/contracts';
import { type DomainError, badInput } from '@lensforge/core';
import { perDatabase } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { Model } from './model.entity.js';

const cacheMs = 10_000;
/** A provider that no worker has announced for this long is not offered. */
const announcementTtl = '2 minutes';

interface Catalogue {
  models: Model[];
  /** Providers that workers can call with the platform's keys. */
  announced: ReadonlySet<string>;
  readAt: number;
}

const catalogues = perDatabase((): { cached?: Catalogue } => ({}));

/** The enabled models, cached for some seconds; `again` bypasses the cache for a name that is unknown. */
async function catalogue(db: EntityManager, { again = false } = {}): Promise<Catalogue> {
  const store = catalogues.of({ db });
  if (store.cached && !again && Date.now() - store.cached.readAt < cacheMs) return store.cached;
  const models = await db.find(Model, { where: { enabled: true }, order: { providerKey: 'ASC', key: 'ASC' } });
  const rows = await db.query<{ key: string }[]>(
    `select key from providers where seen_at > now() - interval '${announcementTtl}'`,
  );
  store.cached = { models, announced: new Set(['offline', ...rows.map(({ key }) => key)]), readAt: Date.now() };
  return store.cached;
}

/** Providers with one address for all users, whose models any BYOK key of the provider can call. */
const keyedProviders: readonly string[] = byokProviders.filter((key) => key !== 'openai-compatible');

export interface ModelCriteria {
  modelOverride?: string | undefined;
  /** The models of the lens in order, which apply without an override. */
  preferred?: readonly string[] | undefined;
  providerOverride?: string | undefined;
  fundingSource?: FundingSource | undefined;
  /** The BYOK key of a user's endpoint with its own models. */
  endpointKeyId?: string | undefined;
  /** Capabilities that the request needs. */
  needs?: readonly ModelCapability[] | undefined;
  /** True for runs that call no model: a model that is named need not be offered. */
  isReplayed?: boolean | undefined;
  /** The names of the models that the sponsor pays for; every model when absent. */
  allowed?: readonly string[] | undefined;
}

export interface ChosenModel extends Model {
  /** Fallbacks with the needed capabilities, in order. */
  alternatives: readonly Model[];
}

/** The requested model or the default. A refusal lists the models that can be used. */
export async function chooseModel(db: EntityManager, criteria: ModelCriteria): Promise<ChosenModel> {
  if (criteria.endpointKeyId !== undefined) return chooseAt(await endpoint(db, criteria.endpointKeyId), criteria);
  const known = await catalogue(db);
  const chosen = pick(known, criteria) ?? pick(await catalogue(db, { again: true }), criteria);
  if (!chosen) throw refusal(await catalogue(db), criteria);
  return { ...chosen, alternatives: alternativesTo(chosen, usable(await catalogue(db), criteria), criteria) };
}

function chooseAt(known: Catalogue, criteria: ModelCriteria): ChosenModel {
  const chosen = pick(known, criteria);
  if (!chosen) throw refusal(known, criteria);
  return { ...chosen, alternatives: [] };
}

/** The names that belong to no enabled model of the platform. */
export async function unknownModels(db: EntityManager, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { models } = await catalogue(db, { again: true });
  return names.filter((name) => !models.some((model) => toModelName(model) === name));
}

/** The models of a user's endpoint, in the order of its own list. */
async function endpoint(db: EntityManager, byokKeyId: string): Promise<Catalogue> {
  const models = await db.find(Model, { where: { byokKeyId }, order: { defaultRank: 'ASC' } });
  return { models, announced: new Set(), readAt: Date.now() };
}

/** The models that a caller can use; `isDefault` marks the default for these criteria. */
export async function usableModels(db: EntityManager, criteria: ModelCriteria = {}): Promise<Model[]> {
  const { fundingSource, endpointKeyId } = criteria;
  const all = endpointKeyId === undefined ? await catalogue(db) : await endpoint(db, endpointKeyId);
  const defaultModel = pick(all, { fundingSource, endpointKeyId });
  return usable(all, criteria).map((model) => ({ ...model, isDefault: model.id === defaultModel?.id }));
}

/** An enabled model of the catalogue by its id, key or provider/key, even if its provider cannot be called at the moment. */
export async function modelNamed(db: EntityManager, name: string): Promise<Model | undefined> {
  const find = ({ models }: Catalogue): Model | undefined => models.find((model) => isNamed(model, name));
  return find(await catalogue(db)) ?? find(await catalogue(db, { again: true }));
}

/** A model by its id for an accepted run, even if it is no longer offered. */
export async function modelById(
  db: EntityManager,
  id: string,
  criteria: Pick<ModelCriteria, 'fundingSource' | 'needs' | 'allowed' | 'preferred'> = {},
): Promise<ChosenModel | undefined> {
  const { models } = await catalogue(db);
  const found = models.find((model) => model.id === id) ?? (await db.findOneBy(Model, { id })) ?? undefined;
  return found && { ...found, alternatives: alternativesTo(found, models, criteria) };
}

export const toModelName = ({ providerKey, key }: Pick<Model, 'providerKey' | 'key'>): string =>
  `${providerKey}/${key}`;

function usable(
  { models, announced }: Catalogue,
  { fundingSource, providerOverride, endpointKeyId, allowed, isReplayed, modelOverride, preferred }: ModelCriteria,
): Model[] {
  const isNamed = isReplayed === true && (modelOverride ?? preferred) !== undefined;
  const can = (key: string): boolean => {
    if (isNamed || fundingSource === 'user_byok_local' || endpointKeyId !== undefined) return true;
    return fundingSource === 'user_byok_cloud' ? keyedProviders.includes(key) : announced.has(key);
  };
  return models.filter(
    (model) =>
      can(model.providerKey) &&
      (providerOverride === undefined || model.providerKey === providerOverride) &&
      (allowed?.includes(toModelName(model)) ?? true),
  );
}

/** A model that makes embeddings alone answers no prompt. */
const canDo = (model: Model, needs: readonly ModelCapability[] = []): boolean =>
  needs.every((need) => model.capabilities.includes(need)) && (needs.includes('embeddings') || !onlyEmbeds(model));

const onlyEmbeds = ({ capabilities }: Model): boolean =>
  capabilities.includes('embeddings') && !capabilities.includes('stream');

const isNamed = (model: Model, name: string): boolean => [model.id, model.key, toModelName(model)].includes(name);

function pick(all: Catalogue, criteria: ModelCriteria): Model | undefined {
  const { modelOverride, preferred, providerOverride, needs } = criteria;
  const offered = usable(all, criteria).filter((model) => canDo(model, needs));
  if (modelOverride !== undefined) return offered.find((model) => isNamed(model, modelOverride));
  if (preferred) return findFirst(offered, preferred);
  const [ranked] = offered
    .filter(({ defaultRank }) => defaultRank !== null && criteria.fundingSource !== 'user_byok_local')
    .sort((one, other) => (one.defaultRank ?? 0) - (other.defaultRank ?? 0));
  const isOnlyKind = providerOverride !== undefined || needs?.includes('embeddings') === true;
  const ofProvider = isOnlyKind ? offered[0] : undefined;
  return (
    ranked ?? offered.find(({ isDefault }) => isDefault) ?? findFirst(offered, criteria.allowed ?? []) ?? ofProvider
  );
}

/** The first of these names that a model has. */
function findFirst(models: readonly Model[], names: readonly string[]): Model | undefined {
  const [found] = names.flatMap((name) => models.find((model) => toModelName(model) === name) ?? []);
  return found;
}

/** The models to ask when this one fails: the rest of the lens's list, or else its own fallbacks. */
function listFallbacks(model: Model, preferred: readonly string[] = []): readonly string[] {
  const position = preferred.indexOf(toModelName(model));
  return position >= 0 && preferred.length > 1 ? preferred.slice(position + 1) : model.fallbacks;
}

/** The usable fallbacks of a model; a BYOK key works for its own provider only. */
function alternativesTo(
  model: Model,
  offered: readonly Model[],
  { fundingSource, needs, allowed, preferred }: ModelCriteria,
): Model[] {
  return listFallbacks(model, preferred).flatMap((name) => {
    if (allowed && !allowed.includes(name)) return [];
    const other = offered.find((each) => toModelName(each) === name && each.id !== model.id);
    const mayBeAsked = fundingSource !== 'user_byok_cloud' || other?.providerKey === model.providerKey;
    return other && mayBeAsked && canDo(other, needs) ? [other] : [];
  });
}

/** Names the criterion that no model meets, and the models that can be used. */
function refusal(all: Catalogue, criteria: ModelCriteria): DomainError {
  const { modelOverride, preferred, providerOverride, needs = [], allowed } = criteria;
  const providers = (models: readonly Model[]) => joinNames([...new Set(models.map(({ providerKey }) => providerKey))]);
  const names = (models: readonly Model[]) => joinNames(models.map(toModelName));
  const open = usable(all, { ...criteria, providerOverride: undefined });
  const offered = usable(all, criteria);
  if (providerOverride !== undefined && offered.length === 0) {
    const isKnown = all.models.some(({ providerKey }) => providerKey === providerOverride);
    const reason = isKnown ? `${providerOverride} ${whyNot(criteria)}` : `there is no provider ${providerOverride}`;
    return badInput('providerOverride', `${reason}; usable are ${providers(open)}`);
  }
  if (allowed && offered.length === 0) {
    const models = allowed.join(', ');
    return badInput(
      'modelOverride',
      `none of the models that the sponsor of this lens pays for can be used: ${models}`,
    );
  }
  if (preferred && modelOverride === undefined) {
    const models = preferred.join(', ');
    const able = needs.length > 0 ? ` by this request, which needs ${needs.join(', ')}` : '';
    return badInput('modelOverride', `none of the models of this lens can be used${able}: ${models}`);
  }
  const requested = modelOverride === undefined ? undefined : all.models.find((model) => isNamed(model, modelOverride));
  const named = modelOverride === undefined ? offered : offered.filter((model) => isNamed(model, modelOverride));
  if (named.length === 0) {
    const reason =
      requested && !open.includes(requested)
        ? `${toModelName(requested)} ${whyNot(criteria)}`
        : `there is no model ${modelOverride ?? ''}`;
    const known = offered.flatMap((model) => [toModelName(model), model.key]);
    const hint = requested ? '' : didYouMean(modelOverride ?? '', known);
    return badInput('modelOverride', `${reason}; usable are ${names(offered)}${hint}`);
  }
  const [embedding] = named;
  if (modelOverride !== undefined && embedding && onlyEmbeds(embedding) && !needs.includes('embeddings')) {
    const able = names(open.filter((model) => canDo(model, needs)));
    return badInput('modelOverride', `${toModelName(embedding)} makes embeddings alone; models that answer: ${able}`);
  }
  const lacking = needs.filter((need) => !named.some((model) => canDo(model, [need])));
  if (needs.length > 0 && !named.some((model) => canDo(model, needs))) {
    const able = names(open.filter((model) => canDo(model, needs)));
    const who = modelOverride === undefined ? 'every usable model' : names(named);
    const cannot = joinNames(lacking.length > 0 ? lacking : needs);
    return badInput(
      'modelOverride',
      `${who} lacks the capability ${cannot}, which this request needs; models that have it: ${able}`,
    );
  }
  return badInput('modelOverride', `is required, since there is no default model; usable are ${names(offered)}`);
}

const joinNames = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none');

function whyNot({ fundingSource, allowed }: ModelCriteria): string {
  if (fundingSource === 'user_byok_cloud') return 'cannot be used with a key of your own';
  if (allowed) return 'cannot be used: the sponsor of this lens does not pay for it, or the platform has no key for it';
  return 'cannot be used: this platform has no key for it at the moment';
}
