import { readFile } from 'node:fs/promises';
import { InvalidInput, type ModelEntry, ModelFile, parse } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { type CatalogueRow, type Rates, importModels, listCatalogue } from '@lensforge/models';
import { type Command, type CommandContext, UsageError } from '../command.js';
import { readArguments } from '../options.js';
import { readGenaiPrices, readInstalledPrices } from '../price-lists/genai-prices.js';
import { type PriceList, isMembers } from '../price-lists/listed-model.js';
import { readLitellm } from '../price-lists/litellm.js';
import { toEntries } from '../price-lists/to-entries.js';

const usage =
  'use models list, or models import <file.json|genai-prices> [--add=<provider/key,…>] [--credits-per-dollar=1000]';

export const modelsCommand: Command = {
  usage: 'models <list|import> [file.json|genai-prices] [--add=…] [--credits-per-dollar=…]',
  description:
    'lists the model catalogue, or imports models: a file {"models": [...]}, or a public price list of LiteLLM or genai-prices',
  run: async (context, args) => {
    const { options, rest } = readArguments(args, ['add', 'credits-per-dollar'], usage);
    const [verb, source] = rest;
    if (verb === 'list' && source === undefined) return list(context);
    if (verb === 'import' && source !== undefined) return importFrom(context, source, options);
    throw new UsageError(usage);
  },
};

async function list({ ctx, print }: CommandContext): Promise<boolean> {
  for (const row of await listCatalogue(ctx)) print(formatModel(row));
  return true;
}

/** Tab-separated columns, for `column -t` and scripts. */
const formatModel = ({ provider, key, usable, enabled, ...row }: CatalogueRow): string =>
  [
    `${provider}/${key}`,
    usable ? 'usable' : enabled ? 'no key' : 'off',
    formatRates(row),
    `context ${row.contextTokens ?? 'unknown'}`,
    `answer ${row.maxOutputTokens}`,
    row.capabilities.join(','),
    ...(row.defaultRank === null ? [] : [`default rank ${row.defaultRank}`]),
    ...(row.fallbacks.length > 0 ? [`then ${row.fallbacks.join(', ')}`] : []),
  ].join('\t');

/** Input, cached input, cache write and output; a rate that is that of other input is left out. */
const formatRates = ({ creditsPer1kInput, creditsPer1kOutput, ...cache }: Rates): string => {
  const { creditsPer1kCachedInput: cached, creditsPer1kCacheWrite: write } = cache;
  const details = [
    ...(typeof cached === 'number' ? [`cached ${cached}`] : []),
    ...(typeof write === 'number' ? [`cache write ${write}`] : []),
  ];
  const more = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `${creditsPer1kInput}/${creditsPer1kOutput} credits per 1k${more}`;
};

async function importFrom(
  context: CommandContext,
  source: string,
  options: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { ctx, print, note } = context;
  try {
    const { models, notes } = await readModels(context, source, options);
    const { added, changed } = await importModels(ctx, models);
    for (const each of notes) note(each);
    print(`${added} models added, ${changed} changed; services use them within 10 seconds`);
    return true;
  } catch (error) {
    const isFault = error instanceof InvalidInput || error instanceof DomainError || error instanceof SyntaxError;
    if (isFault || (error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError(`${source}: ${(error as Error).message}`);
    throw error;
  }
}

/** The entries of a file for the catalogue, or those that a public price list leads to. */
async function readModels(
  { ctx }: CommandContext,
  source: string,
  { add = '', 'credits-per-dollar': factor = '1000' }: Readonly<Record<string, string>>,
): Promise<{ models: ModelEntry[]; notes: readonly string[] }> {
  const file: unknown = source === 'genai-prices' ? undefined : JSON.parse(await readFile(source, 'utf8'));
  const limits = { members: 20_000 };
  if (isMembers(file) && 'models' in file) return { models: parse(ModelFile, file, limits).models, notes: [] };
  const creditsPerDollar = Number(factor);
  if (!(creditsPerDollar > 0)) throw new UsageError(`--credits-per-dollar must be a number above 0: ${usage}`);
  const prices = await readPriceList(file, ctx.now());
  const catalogue = await listCatalogue(ctx);
  const { entries, notes } = toEntries(prices, { catalogue, add: add.split(',').filter(Boolean), creditsPerDollar });
  return { models: parse(ModelFile, { models: entries }, limits).models, notes };
}

async function readPriceList(file: unknown, now: Date): Promise<PriceList> {
  if (file === undefined) return readInstalledPrices(now);
  const prices = Array.isArray(file) ? readGenaiPrices(file, now) : readLitellm(isMembers(file) ? file : {});
  if (prices.models.length > 0) return prices;
  throw new SyntaxError('has neither "models" nor the prices of models in the form of LiteLLM or genai-prices');
}
