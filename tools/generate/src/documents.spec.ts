import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { documents } from './documents.js';

const root = join(import.meta.dirname, '..', '..', '..');

it('generated files are current; npm run generate writes them', async () => {
  const outdated: string[] = [];
  for (const [path, text] of Object.entries(await documents(root))) {
    if ((await readFile(join(root, path), 'utf8').catch(() => '')) !== text) outdated.push(path);
  }
  expect(outdated).toEqual([]);
});
