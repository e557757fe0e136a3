import type { ModelCapability } from '@lensforge/contracts';
import { type ListedModel, type Members, type PriceList, findHighest, isMembers, toPrice } from './listed-model.js';

/** The names that LiteLLM has for the providers of the catalogue. */
const providers: Readonly<Record<string, string>> = { openai: 'openai', anthropic: 'anthropic', gemini: 'google' };

const rates = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cachedInput: 'cache_read_input_token_cost',
  cacheWrite: 'cache_creation_input_token_cost',
} as const;

const capabilities: Readonly<Record<string, readonly ModelCapability[]>> = {
  supports_vision: ['images', 'image_urls'],
  supports_response_schema: ['json'],
  supports_function_calling: ['tools'],
};

/** Members with prices that the catalogue can express: a rate, or that of longer prompts. */
const isMapped = (name: string): boolean => mapped.includes(withoutLength(name));

const mapped: readonly string[] = Object.values(rates);

const withoutLength = (name: string): string => name.replace(/_above_\d+k_tokens$/, '');

/** Reads the file `model_prices_and_context_window.json` of LiteLLM: an object of models by name. */
export function readLitellm(file: Members): PriceList {
  const entries = Object.entries(file).filter(([name]) => name !== 'sample_spec');
  const models = entries.flatMap(([name, entry]) => (isMembers(entry) ? readEntry(name, entry) : []));
  return { models, skipped: entries.length - models.length };
}

function readEntry(name: string, entry: Members): ListedModel[] {
  const provider = providers[String(entry['litellm_provider'])];
  const [input, output, cachedInput, cacheWrite] = Object.values(rates).map((rate) => dollarsPerMillion(entry, rate));
  const isChat = ['chat', 'responses'].includes(String(entry['mode']));
  if (provider === undefined || !isChat || input === undefined || output === undefined) return [];
  const known = Object.entries(capabilities).flatMap(([member, able]) => (entry[member] === true ? able : []));
  return [
    {
      provider,
      key: name.slice(name.lastIndexOf('/') + 1),
      aliases: [],
      prices: { input, output, cachedInput, cacheWrite },
      contextTokens: toCount(entry['max_input_tokens']),
      maxOutputTokens: toCount(entry['max_output_tokens']),
      capabilities: ['stream', ...known.filter((each) => each !== 'image_urls' || provider !== 'google')],
      unmapped: Object.keys(entry).filter((member) => /_cost(_per_|$)/.test(member) && !isMapped(member)),
    },
  ];
}

function dollarsPerMillion(entry: Members, rate: string): number | undefined {
  const prices = Object.entries(entry).flatMap(([name, value]) =>
    withoutLength(name) === rate ? [toPrice(value)] : [],
  );
  const price = findHighest(prices);
  return price === undefined ? undefined : price * 1_000_000;
}

const toCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
