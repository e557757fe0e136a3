import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { targets, toDigestFiles } from '../images.mjs';

const withoutComments = (text) => text.replace(/^#.*\n/gm, '');

it('digests of pushed images are written for Kustomize and for the chart in the form of the placeholders', () => {
  const root = join(import.meta.dirname, '..', '..');
  const digests = targets.map((target) => [target, `sha256:${'0'.repeat(64)}`]);
  const files = Object.entries(toDigestFiles('registry.example.com/lensforge', digests));
  expect(files).toHaveLength(2);
  for (const [file, text] of files)
    expect(withoutComments(text)).toBe(withoutComments(readFileSync(join(root, file), 'utf8')));
});
