import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const folder = join(import.meta.dirname, '../../apps/console/src/styles');
const sheets = readdirSync(folder).filter((name) => name.endsWith('.css') && name !== 'tokens.css');

/** Lines of one to three pixels stay as thin as they are when the text grows. */
const thin = /^-?[0-3]px$/;

it.each(sheets)('%s takes its colours from the tokens, and its sizes grow with the text', (name) => {
  const sheet = readFileSync(join(folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const values = [...sheet.matchAll(/:\s([^;{}]+);/g)].map(([, value = '']) => value);
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|color)\(/i.test(value))).toEqual([]);
  const sizes = values.flatMap((value) => value.match(/(?<![\w.-])-?[\d.]+px\b/g) ?? []);
  expect(sizes.filter((size) => !thin.test(size))).toEqual([]);
  const fonts = [...sheet.matchAll(/\bfont-size:\s([^;]+);/g)].map(([, value]) => value);
  expect(fonts.filter((value) => !value.startsWith('var(--text-'))).toEqual([]);
});
