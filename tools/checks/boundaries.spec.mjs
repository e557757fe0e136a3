import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../../', import.meta.url));
const patience = 120_000;
let eslint;

// With CI=true the parser reads only files on disk, not the linted text.
const freshText = { parserOptions: { disallowAutomaticSingleRunInference: true } };

beforeAll(() => {
  eslint = new ESLint({ cwd: root, overrideConfig: { files: ['**/*.ts'], languageOptions: freshText } });
}, patience);

const judged = new Map();

/** The rules that refuse each of `lines` at the top of an existing file, without changing the file. */
const refusalsOf = async (file) => {
  const lines = [...passing, ...refused].filter(([, where]) => where === file).map(([, , line]) => line);
  const text = `${lines.join('\n')}\n${readFileSync(root + file, 'utf8')}`;
  const [result] = await eslint.lintText(text, { filePath: root + file });
  expect(result.fatalErrorCount).toBe(0);
  const rulesOf = (at) => result.messages.filter((message) => message.line === at + 1).map(({ ruleId }) => ruleId);
  return new Map(lines.map((line, at) => [line, rulesOf(at)]));
};

/** Lints each file once with all of its lines. */
const refusals = async (file, line) => {
  if (!judged.has(file)) judged.set(file, refusalsOf(file));
  return (await judged.get(file)).get(line);
};

const boundary = '@nx/enforce-module-boundaries';
const banned = 'no-restricted-imports';

const passing = [
  ['a domain lib that imports database', 'libs/lenses/src/index.ts', "import '@lensforge/database';"],
  ['a domain lib that imports one below it', 'libs/lenses/src/index.ts', "import '@lensforge/identity';"],
  ['a domain lib that imports a package of its own', 'libs/lenses/src/index.ts', "import 'typeorm';"],
  ['builders that use builders', 'libs/lenses/src/testing.ts', "import '@lensforge/identity/testing';"],
  ['the database that imports core', 'libs/database/src/index.ts', "import '@lensforge/core';"],
  ['an awaited promise', 'libs/lenses/src/index.ts', 'await Promise.resolve();'],
  ['a WeakMap of a call', 'libs/lenses/src/index.ts', 'export const seen = () => new WeakMap<object, string>();'],
  ['a WeakMap of an object', 'libs/lenses/src/index.ts', 'export class A { seen = new WeakMap<object, string>(); }'],
];

const refused = [
  ['a domain lib that imports one above it', 'libs/lenses/src/index.ts', "import '@lensforge/runs';", boundary],
  ['a domain lib that imports its neighbour', 'libs/communities/src/index.ts', "import '@lensforge/vault';", boundary],
  ['a domain lib that imports the edge', 'libs/lenses/src/index.ts', "import '@lensforge/edge';", boundary],
  ['a domain lib that imports the queue', 'libs/identity/src/index.ts', "import '@lensforge/queue';", boundary],
  ['core, importing a domain library', 'libs/core/src/index.ts', "import '@lensforge/lenses';", boundary],
  ['contracts that import anything', 'libs/contracts/src/index.ts', "import '@lensforge/core';", boundary],
  ['a base lib that imports anything', 'libs/vault/src/index.ts', "import '@lensforge/contracts';", boundary],
  ['a path into another package', 'libs/lenses/src/index.ts', "import '../../core/src/index.js';", boundary],
  ['a package that is not listed', 'libs/lenses/src/index.ts', "import 'rxjs';", boundary],
  ['a file inside another package', 'libs/lenses/src/index.ts', "import '@lensforge/core/src/actor.js';", banned],
  ['builders outside of a spec', 'libs/lenses/src/index.ts', "import '@lensforge/identity/testing';", banned],
  ['Nest in the domain', 'libs/lenses/src/index.ts', "import '@nestjs/common';", banned],
  ['BullMQ in the domain', 'libs/lenses/src/index.ts', "import 'bullmq';", banned],
  ['Redis in the domain', 'libs/lenses/src/index.ts', "import 'ioredis';", banned],
  ['Fastify in the domain', 'libs/lenses/src/index.ts', "import 'fastify';", banned],
  ['undici in the domain', 'libs/lenses/src/index.ts', "import 'undici';", banned],
  ['HTTP in the domain', 'libs/lenses/src/index.ts', "import 'node:http';", banned],
  ['HTTPS in the domain', 'libs/database/src/index.ts', "import 'node:https';", banned],
  ['fetch in the domain', 'libs/lenses/src/index.ts', "await fetch('http://localhost');", 'no-restricted-globals'],
  ['a default export', 'libs/lenses/src/index.ts', 'export default 1;', 'lensforge/named-exports'],
  [
    'a WeakMap of a module',
    'libs/lenses/src/index.ts',
    'export const cache = new WeakMap<object, string>();',
    'lensforge/no-module-weak-map',
  ],
  [
    'a WeakMap of a class',
    'libs/lenses/src/index.ts',
    'export class B { static readonly cache = new WeakMap<object, string>(); }',
    'lensforge/no-module-weak-map',
  ],
  ['a floating promise', 'libs/lenses/src/index.ts', 'Promise.resolve();', '@typescript-eslint/no-floating-promises'],
  [
    'any at a boundary',
    'libs/lenses/src/index.ts',
    'export const a = (b: any) => String(b);',
    '@typescript-eslint/no-explicit-any',
  ],
  ['re-exporting all names', 'libs/credits/src/testing.ts', "export * from './index.js';", 'lensforge/named-exports'],
  [
    'a doc comment that opens with What',
    'libs/credits/src/testing.ts',
    '/** What it is. */',
    'lensforge/plain-comments',
  ],
  ['a metaphor in a comment', 'libs/credits/src/testing.ts', '// Runs stand in the book.', 'lensforge/plain-comments'],
  ['the environment', 'libs/lenses/src/index.ts', 'process.env;', 'lensforge/environment-at-the-edge'],
  [
    'a Nest module in a lib',
    'libs/queue/src/index.ts',
    '@Module({}) export class M {}',
    'lensforge/modules-at-the-edge',
  ],
  [
    'a silenced rule without a reason',
    'libs/lenses/src/index.ts',
    '// eslint-disable-next-line eqeqeq',
    'lensforge/reasoned-disable',
  ],
];

it.each(passing)(
  'lint lets %s pass',
  async (_, file, line) => expect(await refusals(file, line)).toEqual([]),
  patience,
);

it.each(refused)(
  'lint refuses %s',
  async (_, file, line, rule) => expect(await refusals(file, line)).toContain(rule),
  patience,
);
