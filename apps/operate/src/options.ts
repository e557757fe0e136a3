import { readFile } from 'node:fs/promises';
import { type CommandContext, UsageError } from './command.js';

export interface Arguments {
  /** The values of `--name=value` by name. */
  options: Readonly<Record<string, string>>;
  rest: readonly string[];
}

/** Separates `--name=value` from the other arguments; `usage` is the explanation of a wrong one. */
export function readArguments(args: readonly string[], names: readonly string[], usage: string): Arguments {
  const options: Record<string, string> = {};
  for (const each of args.filter((each) => each.startsWith('--'))) {
    const [, name = '', value = ''] = /^--([a-z-]+)=(.+)$/s.exec(each) ?? [];
    if (!names.includes(name)) throw new UsageError(`${each.split('=', 1)[0] ?? each} is not usable: ${usage}`);
    options[name] = value;
  }
  return { options, rest: args.filter((each) => !each.startsWith('--')) };
}

/** Reads a secret from a file, or from standard input for `-`; one line break at its end does not count. */
export async function readSecret(file: string, readInput: CommandContext['readInput']): Promise<string> {
  const content = file === '-' ? await readInput() : await readContent(file);
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`${file === '-' ? 'standard input' : file} is empty`);
  return secret;
}

const readContent = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  });
