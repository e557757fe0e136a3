import { readFile } from 'node:fs/promises';
import { InvalidInput, ModelFile, parse } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { type CatalogueRow, importModels, listCatalogue } from '@lensforge/models';
import { type Command, type CommandContext, UsageError } from '../command.js';

export const modelsCommand: Command = {
  usage: 'models <list|import> [file.json]',
  description: 'lists the model catalogue, or imports a file {"models": [...]} that adds and changes models',
  run: async (context, [verb, file]) => {
    if (verb === 'list' && file === undefined) return list(context);
    if (verb === 'import' && file !== undefined) return importFile(context, file);
    throw new UsageError('use models list, or models import <file.json>');
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
    `${row.creditsPer1kInput}/${row.creditsPer1kOutput} credits per 1k`,
    `context ${row.contextTokens ?? 'unknown'}`,
    `answer ${row.maxOutputTokens}`,
    row.capabilities.join(','),
    ...(row.defaultRank === null ? [] : [`default rank ${row.defaultRank}`]),
    ...(row.fallbacks.length > 0 ? [`then ${row.fallbacks.join(', ')}`] : []),
  ].join('\t');

async function importFile({ ctx, print }: CommandContext, file: string): Promise<boolean> {
  try {
    const { models } = parse(ModelFile, JSON.parse(await readFile(file, 'utf8')), { members: 20_000 });
    const { added, changed } = await importModels(ctx, models);
    print(`${added} models added, ${changed} changed; services use them within 10 seconds`);
    return true;
  } catch (error) {
    const isFault = error instanceof InvalidInput || error instanceof DomainError || error instanceof SyntaxError;
    if (isFault || (error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError(`${file}: ${(error as Error).message}`);
    throw error;
  }
}
