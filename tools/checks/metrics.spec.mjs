import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

const sourcesIn = (workspace) =>
  readdirSync(join(root, workspace))
    .map((name) => join(root, workspace, name, 'src'))
    .flatMap((folder) => {
      try {
        return readdirSync(folder, { recursive: true }).map((file) => join(folder, file));
      } catch {
        return [];
      }
    })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

it('docs/metrics.md lists exactly the metrics that the services export', () => {
  const exported = ['libs', 'apps']
    .flatMap(sourcesIn)
    .flatMap((file) => namesIn(readFileSync(file, 'utf8'), /'(lensforge_[a-z_]+)'/g));
  const listed = namesIn(readFileSync(join(root, 'docs/metrics.md'), 'utf8'), /^\| `(lensforge_[a-z_]+)`/gm);
  expect([...listed].sort()).toEqual([...new Set(exported)].sort());
});
