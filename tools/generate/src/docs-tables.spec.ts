import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, restErrorCodes, scopes } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The part of a page under a heading of the second level. */
const section = (page: string, heading: string): string =>
  read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
/** The names in the first column of tables, without their headings. */
const firstCells = (text: string): string[] => namesIn(text, /^\| `([^`]+)`.*$(?!\n\| -)/gm);

describe('docs/scopes.md', () => {
  it('has a row for each scope', () => {
    expect(firstCells(section('docs/scopes.md', 'What each scope permits'))).toEqual(scopes);
  });
});

describe('docs/errors.md', () => {
  it('has a row for each error code of REST', () => {
    expect(firstCells(section('docs/errors.md', 'REST'))).toEqual(restErrorCodes);
  });

  it('has a row for each error code of tools and of JSON-RPC', () => {
    const ofTools = namesIn(
      read('libs/tools/src/tool-errors.ts').split('toolErrorCodes = [')[1]?.split(']')[0] ?? '',
      /'([A-Z_]+)'/g,
    );
    const ofJsonRpc = namesIn(read('apps/mcp-gateway/src/json-rpc.ts'), /^ {2}\w+: (-\d+),$/gm);
    expect(ofTools.length).toBeGreaterThan(10);
    expect(firstCells(section('docs/errors.md', 'Tools'))).toEqual([...ofTools, ...ofJsonRpc]);
  });

  it('has a row for each error code of runs and nodes, and for no unknown one', () => {
    const sources = ['apps/run-worker/src', 'libs/runs/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
        .map((file) => read(join(folder, file))),
    );
    const patterns = [
      /\b(?:failed|finalFailure|RunFailure)\(\s*'([A-Z_]+)'/g,
      /\berrorCode: '([A-Z_]+)'/g,
      /\bkind: 'fail(?:ed)?', code: '([A-Z_]+)'/g,
    ];
    const union = read('apps/run-worker/src/engine/run-failure.ts');
    const used = new Set([
      ...namesIn(union, /^ {2}\| '([A-Z_]+)'/gm),
      ...sources.flatMap((text) => patterns.flatMap((pattern) => namesIn(text, pattern))),
    ]);
    const listed = firstCells(section('docs/errors.md', 'Runs'));
    expect(used.size).toBeGreaterThan(40);
    expect([...used].filter((code) => !listed.includes(code))).toEqual([]);
    // A node also fails with the code of an operation that it starts, or with the status of its child run.
    const possible = [...used, ...errorCodes, 'CANCELED'];
    expect(listed.filter((code) => !possible.includes(code))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});
