import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const folder = join(import.meta.dirname, '../../apps/console/src/styles');
const source = join(folder, '..');
const views = readdirSync(source, { recursive: true }).filter((name) => name.endsWith('.tsx'));
const read = (name) => readFileSync(join(source, name), 'utf8');
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

it('views have neither colours nor sizes of their own', () => {
  const own = views.flatMap((name) => {
    const found = read(name).match(/'[^'\n]*(?:#[0-9a-f]{6}|\brgba?\(|\b(?:[4-9]|\d\d+)px)[^'\n]*'/gi) ?? [];
    return found.map((text) => `${name}: ${text}`);
  });
  expect(own).toEqual([]);
});

it('the design page shows each part', () => {
  const parts = views
    .filter((name) => name.startsWith('ui/'))
    .flatMap((name) => [...read(name).matchAll(/^export (?:const|function) ([A-Z]\w*)/gm)].map(([, part]) => part));
  const page = read('design/design-view.tsx');
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.filter((part) => !page.includes(`<${part}`))).toEqual([]);
});

it('a release does not have the design page', () => {
  const assets = readdirSync(join(source, '../dist/assets'));
  expect(assets.length).toBeGreaterThan(50);
  expect(assets.filter((name) => name.startsWith('design'))).toEqual([]);
});
