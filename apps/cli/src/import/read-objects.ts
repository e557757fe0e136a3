import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { isRecord } from '../eval/config-source.js';
import { CommandFault, UsageFault, getSystemCode } from '../faults.js';
import type { Session } from '../session.js';

/** An object of an export, with its place. */
export interface FoundObject {
  value: Record<string, unknown>;
  where: string;
  /** The file that it comes from, without folder and ending. */
  file: string;
}

const extensions = ['.json', '.jsonl', '.ndjson'];

export const isUrl = (path: string): boolean => /^https?:\/\//.test(path);

/** The text of a file, or of an address. */
export async function readSource(session: Session, path: string): Promise<string> {
  return isUrl(path) ? (await fetchFrom(path, session.signal)).text() : session.readText(path);
}

/** The objects of a JSON or JSON lines file or address, or of all such files of a folder. */
export async function readObjects(session: Session, path: string): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  for (const file of await listFiles(path)) found.push(...readFile(await readSource(session, file), file));
  if (found.length === 0)
    throw new UsageFault(`${path} has no objects`, 'Give a .json or .jsonl file of an export, or a folder of them');
  return found;
}

async function listFiles(path: string): Promise<string[]> {
  const kind =
    path === '-' || isUrl(path)
      ? undefined
      : await stat(path).catch((error: unknown) => {
          throw new UsageFault(
            `${path} cannot be read (${getSystemCode(error)})`,
            'Give a file of an export, or a folder of them',
          );
        });
  if (!kind?.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => extensions.includes(extname(name)))
    .sort()
    .map((name) => join(path, name));
}

function readFile(text: string, path: string): FoundObject[] {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const whole = tryParse(text);
  if (whole !== undefined) return flatten(whole, path).map(({ value, where }) => ({ value, where, file }));
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = tryParse(line);
    if (isRecord(value)) return [{ value, where: `${path}:${at + 1}`, file }];
    throw new UsageFault(
      `${path}:${at + 1} is not a JSON object`,
      'Each line of the file has one object, or the file is one JSON value',
    );
  });
}

/** The objects of a value: of a list, or of the members of a page such as `data` and `prompts`. */
function flatten(value: unknown, where: string): { value: Record<string, unknown>; where: string }[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((each, at) => flatten(each, `${where}[${at}]`));
  if (!isRecord(value))
    throw new UsageFault(`${where} is not a JSON object`, 'An export has objects, or lists of them');
  const lists = Object.entries(value).filter(([name, each]) => listNames.has(name) && Array.isArray(each));
  return lists.length > 0 ? lists.flatMap(([name, each]) => flatten(each, `${where}:${name}`)) : [{ value, where }];
}

const listNames = new Set(['data', 'prompts', 'datasets', 'items', 'datasetItems', 'scores', 'scoreConfigs']);

/** The successful answer of an address. */
export async function fetchFrom(
  address: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
  const response = await fetch(address, { headers, signal: limited, redirect: 'error' }).catch((error: unknown) => {
    const { cause, message } = error as Error;
    throw new CommandFault(
      `${address} cannot be reached: ${cause instanceof Error ? cause.message : message}`,
      'Check the address',
    );
  });
  if (response.status === 401 || response.status === 403)
    throw new UsageFault(
      `${new URL(address).origin} refused the key`,
      'Give the key of the project to which the address belongs',
    );
  if (response.ok) return response;
  throw new CommandFault(`${address} answered with the status ${response.status}`, 'Check the address');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
