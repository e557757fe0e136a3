import type { ModelEntry } from '@lensforge/contracts';
import type { CatalogueRow } from '@lensforge/models';
import type { ListedModel, PriceList } from './listed-model.js';

export interface PriceImport {
  entries: ModelEntry[];
  /** Remarks for the operator: what the list or the catalogue lacks. */
  notes: string[];
}

interface ImportOptions {
  catalogue: readonly CatalogueRow[];
  /** Patterns of new models to add, as provider/key with `*`. */
  add: readonly string[];
  creditsPerDollar: number;
}

/** The entries that give known models the prices of a list and add models that match a pattern. */
export function toEntries(
  { models, skipped }: PriceList,
  { catalogue, add, creditsPerDollar }: ImportOptions,
): PriceImport {
  const notes: string[] = [];
  const entries: ModelEntry[] = [];
  const used = new Set<ListedModel>();
  const use = (listed: ListedModel, entry: ModelEntry): void => {
    used.add(listed);
    entries.push(entry);
    const { provider, key, unmapped } = listed;
    if (unmapped.length > 0) notes.push(`${provider}/${key}: not mapped: ${unmapped.join(', ')}`);
  };
  for (const { provider, key } of catalogue.filter(({ provider }) => listedProviders.includes(provider))) {
    const listed = findListed(models, provider, key);
    if (listed) use(listed, { provider, key, ...toRates(listed, creditsPerDollar) });
    else notes.push(`${provider}/${key} is not in the list and keeps its prices`);
  }
  const patterns = add.map(toPattern);
  for (const listed of models) {
    const { provider, key, displayName, contextTokens, maxOutputTokens, capabilities } = listed;
    if (used.has(listed) || !patterns.some((pattern) => pattern.test(`${provider}/${key}`))) continue;
    const details = {
      ...(displayName !== undefined && { displayName }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(capabilities && { capabilities }),
    };
    use(listed, { provider, key, ...details, ...toRates(listed, creditsPerDollar) });
    if (!capabilities) notes.push(`${provider}/${key}: the list has no capabilities; add them with a file of your own`);
  }
  notes.push(`${skipped} entries of the list are of other providers, or no models that answer with text`);
  return { entries, notes };
}

const listedProviders: readonly string[] = ['openai', 'anthropic', 'google'];

const findListed = (models: readonly ListedModel[], provider: string, key: string): ListedModel | undefined => {
  const ofProvider = models.filter((model) => model.provider === provider);
  return ofProvider.find((model) => model.key === key) ?? ofProvider.find(({ aliases }) => aliases.includes(key));
};

function toRates({ prices }: ListedModel, creditsPerDollar: number) {
  const toRate = (dollars: number): number => Number(((dollars * creditsPerDollar) / 1000).toFixed(6));
  const { input, output, cachedInput, cacheWrite } = prices;
  return {
    creditsPer1kInput: toRate(input),
    creditsPer1kOutput: toRate(output),
    creditsPer1kCachedInput: cachedInput === undefined ? null : toRate(cachedInput),
    creditsPer1kCacheWrite: cacheWrite === undefined ? null : toRate(cacheWrite),
  };
}

const toPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[^\w/-]/g, '\\$&'))
      .join('.*')}$`,
  );
