import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 }).split('\n');
const folder = 'docs/contributing';
const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter(
  (file) => file !== '' && existsSync(root + file) && !file.startsWith(`${folder}/`),
);
const isCode = /\.(ts|tsx|mjs|cjs|sql)$/;
const code = files
  .filter((file) => isCode.test(file) && !/recipe/.test(file))
  .map(read)
  .join('\n');
const words = new Set(code.match(/[A-Za-z_]\w*/g));
const scripts = JSON.parse(read('package.json')).scripts;
const recipes = readdirSync(root + folder).filter((name) => name.startsWith('recipes-'));
const spansOf = (text) => [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span);

/** A path in which `<…>` stands for a name, as an expression for the end of a path. */
const pathForm = (path) =>
  new RegExp(`(^|/)${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/<[^>]+>/g, '[^/]+')}(/|$)`);

/** The fault of a name in a recipe; undefined when it exists, or is no name of a file, script or identifier. */
function faultOf(span) {
  const command = /^(?:\w+=\S+ )*npm run ([\w:]+)/.exec(span);
  if (command) return command[1] in scripts ? faultsIn(span.split(' -- ')[1] ?? '') : `no script ${command[1]}`;
  if (/^npm \w+$/.test(span) || span.startsWith('$')) return undefined;
  if (/^[@\w.-]*[\w>]\/[\w./<>-]+$/.test(span) || /^[\w.<>-]+\.(ts|md|mjs|json)$/.test(span)) {
    const exists = files.some((file) => pathForm(span.replace(/\/$/, '')).test(file)) || existsSync(root + span);
    return exists || span.startsWith('docs/<') || span.startsWith('/') ? undefined : `no file ${span}`;
  }
  if (/^@?[A-Za-z_]\w*$/.test(span)) return words.has(span.replace('@', '')) ? undefined : `no identifier ${span}`;
  return undefined;
}

const faultsIn = (text) =>
  text
    .split(' ')
    .flatMap((word) => (word.includes('/') ? [faultOf(word)] : []))
    .find(Boolean);

/** The steps of a page, each with its indented lines. */
const stepsOf = (text) =>
  [...text.matchAll(/^\d+\. [\s\S]*?(?=^\d+\. |^#|^[A-Z|]|$(?![\s\S]))/gm)].map(([step]) => step);

/** The checks that a step names: files, a script, or the types. */
function checkOf(step) {
  const named = /_Checks?: ([^_]*(?:_(?!\s)[^_]*)*?)\._/.exec(step.replace(/\s+/g, ' '))?.[1];
  if (named === undefined) return undefined;
  const tests = spansOf(named).filter(
    (span) => /\.(spec|journey)\.(ts|mjs)$/.test(span) || span.startsWith('npm run '),
  );
  return tests.length > 0 || /^types\b|^each of these tests/.test(named) ? named : undefined;
}

describe.each(recipes)('%s', (name) => {
  const page = read(`${folder}/${name}`);

  it('has a check for each step', () => {
    const steps = stepsOf(page);
    expect(steps.length).toBeGreaterThan(8);
    expect(steps.filter((step) => checkOf(step) === undefined)).toEqual([]);
  });

  it('names files, scripts and identifiers that exist', () => {
    const spans = spansOf(page);
    expect(spans.length).toBeGreaterThan(30);
    expect(spans.map(faultOf).filter(Boolean)).toEqual([]);
  });
});

it('a step without a check, and names that do not exist, are found', () => {
  expect(checkOf('1. Do it. No test notices.')).toBeUndefined();
  expect(checkOf('1. Do it. _Check: somebody._')).toBeUndefined();
  expect(checkOf('1. Do it. _Check: `tools/checks/recipes.spec.mjs`, for it._')).toBeDefined();
  const names = [
    'libs/core/src/none.ts',
    'noSuchIdentifierAnywhere'.concat('AtAll'),
    'npm run none',
    'libs/<domain>/src/<name>.entity.ts',
  ];
  expect(names.map((each) => faultOf(each) !== undefined)).toEqual([true, true, true, false]);
});
