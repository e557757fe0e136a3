import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

const configurations = readdirSync(join(root, 'apps'))
  .flatMap((app) => readdirSync(join(root, 'apps', app, 'src')).map((file) => join('apps', app, 'src', file)))
  .filter((file) => file.endsWith('environment.ts'));
const known = namesIn(read('libs/edge/src/boot/known-settings.ts'), /'(LENSFORGE_[A-Z0-9_]+)'/g);

it('every setting of every program is in known-settings.ts', () => {
  expect(configurations.length).toBeGreaterThan(5);
  const declared = [...configurations, 'libs/edge/src/boot/environment.ts'].flatMap((file) =>
    namesIn(read(file), /^ {2}(?:override )?(LENSFORGE_[A-Z0-9_]+)[!?]?(?::| =)/gm),
  );
  expect(declared.length).toBeGreaterThan(80);
  expect(declared.filter((name) => !known.includes(name))).toEqual([]);
});
