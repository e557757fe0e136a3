import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Endpoint, endpoints, parse } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const anId = '01a1fbf3-1cfa-7419-8fe3-db5b0fbc4789';

const word = /'([^']*)'|"((?:\\.|[^"\\])*)"|\$\([^)]*\)|\$(\w+)|(\\\n|\s+)|([|>].*)|(.)/gsy;
const valueOf = (variable: string): string => (variable === 'LENSFORGE_API_URL' ? '' : anId);

/** The words of a shell command as far as examples use the shell; a variable other than the address is an id. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  for (const [, single, double, variable, blank, rest, character] of command.matchAll(word)) {
    if (rest !== undefined) break;
    if (blank !== undefined) {
      if (current !== undefined) words.push(current);
      current = undefined;
      continue;
    }
    const unquoted = double?.replace(/\\(.)/g, '$1').replace(/\$(\w+)/g, (_, name: string) => valueOf(name));
    const named = variable === undefined ? undefined : valueOf(variable);
    current = (current ?? '') + (single ?? unquoted ?? named ?? character ?? 'AAAA');
  }
  return current === undefined ? words : [...words, current];
}

interface Call {
  method: string;
  path: string;
  query: Record<string, unknown>;
  body: string | undefined;
}

function callOf(command: string): Call {
  const words = wordsOf(command);
  const after = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const body = after('-d');
  const [path = '', search] = (words.find((each) => each.startsWith('/v1/')) ?? '').split('?');
  const names = new URLSearchParams(search);
  const query = [...new Set(names.keys())].map((name) => {
    const values = names.getAll(name);
    return [name, values.length > 1 ? values : values[0]] as const;
  });
  return { method: after('-X') ?? (body === undefined ? 'GET' : 'POST'), path, query: Object.fromEntries(query), body };
}

const pathOf = ({ path }: Endpoint): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
const byFewestParameters = (one: Endpoint, other: Endpoint): number =>
  one.path.split('{').length - other.path.split('{').length;
const rows = Object.values<Endpoint>(endpoints).sort(byFewestParameters);

/** Throws when an endpoint does not take the query or the body of a call. */
function check({ method, path, query, body }: Call): void {
  const row = rows.find((each) => each.method === method && pathOf(each).test(path));
  if (!row) throw new Error('there is no such endpoint');
  if (row.query) parse(row.query, query, { fromText: true });
  else if (Object.keys(query).length > 0) throw new Error('the endpoint takes no query');
  if (body === undefined || body.startsWith('@') || row.rawBody) return;
  if (!row.body) throw new Error('the endpoint takes no body');
  parse(row.body, JSON.parse(body));
}

const blocks = /^```sh\n([\s\S]*?)^```/gm;
const commands = /^curl [\s\S]*?(?=\n\S|$(?![\s\S]))/gm;
const pages = readdirSync(docs)
  .filter((page) => page.endsWith('.md'))
  .map((page) => {
    const found = [...readFileSync(join(docs, page), 'utf8').matchAll(blocks)];
    return [page, found.flatMap(([, block = '']) => block.match(commands) ?? [])] as const;
  })
  .map(([page, found]) => [page, found.filter((each) => each.includes('$LENSFORGE_API_URL/v1/'))] as const)
  .filter(([, found]) => found.length > 0);

it('finds the examples', () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flatMap(([, found]) => found).length).toBeGreaterThan(90);
});

describe('the REST examples of docs/', () => {
  it.each(pages)('%s match the endpoint table', (_page, found) => {
    const faults = found.flatMap((command) => {
      try {
        check(callOf(command));
        return [];
      } catch (reason) {
        return [`${command}: ${String(reason)}`];
      }
    });
    expect(faults).toEqual([]);
  });
});
