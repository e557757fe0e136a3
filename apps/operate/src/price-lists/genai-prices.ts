import { type ListedModel, type Members, type PriceList, findHighest, isMembers, toPrice } from './listed-model.js';

const providers = ['openai', 'anthropic', 'google'];

const rates = {
  input: 'input_mtok',
  output: 'output_mtok',
  cachedInput: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
} as const;

/** Reads the data of genai-prices: a list of providers with their models, at the prices of a day. */
export function readGenaiPrices(file: readonly unknown[], now: Date): PriceList {
  const all = file
    .filter(isMembers)
    .flatMap((provider) => membersOf(provider['models']).map((model) => ({ provider: String(provider['id']), model })));
  const models = all.flatMap(({ provider, model }) =>
    providers.includes(provider) ? readModel(provider, model, now) : [],
  );
  return { models, skipped: all.length - models.length };
}

/** The data that the installed package has. */
export async function readInstalledPrices(now: Date): Promise<PriceList> {
  const { findProvider } = await import('@pydantic/genai-prices');
  return readGenaiPrices(
    providers.map((providerId) => findProvider({ providerId })),
    now,
  );
}

function readModel(provider: string, model: Members, now: Date): ListedModel[] {
  const { prices, isByTime } = pricesAt(model['prices'], now);
  const [input, output, cachedInput, cacheWrite] = Object.values(rates).map((rate) => readRate(prices[rate]));
  if (input === undefined || output === undefined) return [];
  const known: readonly string[] = Object.values(rates);
  const unmapped = Object.keys(prices).filter((name) => !known.includes(name));
  return [
    {
      provider,
      key: String(model['id']),
      aliases: readAliases(model['match']),
      prices: { input, output, cachedInput, cacheWrite },
      displayName: typeof model['name'] === 'string' ? model['name'] : undefined,
      contextTokens: typeof model['context_window'] === 'number' ? model['context_window'] : undefined,
      unmapped: [...unmapped, ...(isByTime ? ['prices by time of day'] : [])],
    },
  ];
}

/** The prices that apply on a day; a list has the newest ones last. */
function pricesAt(prices: unknown, now: Date): { prices: Members; isByTime: boolean } {
  if (!Array.isArray(prices)) return { prices: isMembers(prices) ? prices : {}, isByTime: false };
  const conditional = membersOf(prices);
  const isByTime = conditional.some(({ constraint }) => isMembers(constraint) && 'start_time' in constraint);
  const today = now.toISOString().slice(0, 10);
  const begun = conditional.filter(({ constraint }) => {
    if (!isMembers(constraint)) return true;
    const start = constraint['start_date'];
    return typeof start === 'string' && start <= today;
  });
  const last = begun.at(-1)?.['prices'];
  return { prices: isMembers(last) ? last : {}, isByTime };
}

/** The highest price, where a provider has several by the length of the prompt. */
function readRate(rate: unknown): number | undefined {
  if (!isMembers(rate)) return toPrice(rate);
  return findHighest([toPrice(rate['base']), ...membersOf(rate['tiers']).map(({ price }) => toPrice(price))]);
}

/** The names that a rule gives word for word. */
function readAliases(match: unknown): string[] {
  if (!isMembers(match)) return [];
  if (typeof match['equals'] === 'string') return [match['equals']];
  return membersOf(match['or']).flatMap(readAliases);
}

const membersOf = (list: unknown): Members[] => (Array.isArray(list) ? list.filter(isMembers) : []);
