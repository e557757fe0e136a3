import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documents } from './documents.js';

const root = join(import.meta.dirname, '..', '..', '..');

for (const [path, text] of Object.entries(await documents(root))) {
  const file = join(root, path);
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current === text) continue;
  await writeFile(file, text);
  console.log(`wrote ${path}`);
}
