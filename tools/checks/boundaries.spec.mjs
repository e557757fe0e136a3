import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const patience = 120_000;

const boundary = 'lensforge(imports)';

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
  ['a file inside another package', 'libs/lenses/src/index.ts', "import '@lensforge/core/src/actor.js';", boundary],
  ['builders outside of a spec', 'libs/lenses/src/index.ts', "import '@lensforge/identity/testing';", boundary],
  ['Nest in the domain', 'libs/lenses/src/index.ts', "import '@nestjs/common';", boundary],
  ['BullMQ in the domain', 'libs/lenses/src/index.ts', "import 'bullmq';", boundary],
  ['Redis in the domain', 'libs/lenses/src/index.ts', "import 'ioredis';", boundary],
  ['Fastify in the domain', 'libs/lenses/src/index.ts', "import 'fastify';", boundary],
  ['undici in the domain', 'libs/lenses/src/index.ts', "import 'undici';", boundary],
  ['HTTP in the domain', 'libs/lenses/src/index.ts', "import 'node:http';", boundary],
  ['HTTPS in the domain', 'libs/database/src/index.ts', "import 'node:https';", boundary],
  [
    'fetch in the domain',
    'libs/lenses/src/index.ts',
    "await fetch('http://localhost');",
    'eslint(no-restricted-globals)',
  ],
  ['a default export', 'libs/lenses/src/index.ts', 'export default 1;', 'lensforge(named-exports)'],
  [
    'a WeakMap of a module',
    'libs/lenses/src/index.ts',
    'export const cache = new WeakMap<object, string>();',
    'lensforge(no-module-weak-map)',
  ],
  [
    'a WeakMap of a class',
    'libs/lenses/src/index.ts',
    'export class B { static readonly cache = new WeakMap<object, string>(); }',
    'lensforge(no-module-weak-map)',
  ],
  ['a floating promise', 'libs/lenses/src/index.ts', 'Promise.resolve();', 'typescript(no-floating-promises)'],
  [
    'any at a boundary',
    'libs/lenses/src/index.ts',
    'export const a = (b: any) => String(b);',
    'typescript(no-explicit-any)',
  ],
  ['re-exporting all names', 'libs/credits/src/testing.ts', "export * from './index.js';", 'lensforge(named-exports)'],
  [
    'a doc comment that opens with What',
    'libs/credits/src/testing.ts',
    '/** What it is. */',
    'lensforge(plain-comments)',
  ],
  ['a metaphor in a comment', 'libs/credits/src/testing.ts', '// Runs stand in the book.', 'lensforge(plain-comments)'],
  ['the environment', 'libs/lenses/src/index.ts', 'process.env;', 'lensforge(environment-at-the-edge)'],
  [
    'a Nest module in a lib',
    'libs/queue/src/index.ts',
    '@Module({}) export class M {}',
    'lensforge(modules-at-the-edge)',
  ],
  [
    'a silenced rule without a reason',
    'libs/lenses/src/index.ts',
    '// eslint-disable-next-line eqeqeq',
    'lensforge(reasoned-disable)',
  ],
  [
    "a rule silenced by oxlint's own comment without a reason",
    'libs/lenses/src/index.ts',
    '// oxlint-disable-next-line eqeqeq',
    'lensforge(reasoned-disable)',
  ],
];

/** A copy of what lint reads, with one file for each line. */
let copy;
let diagnostics;

/** The file of each line. */
const files = new Map(
  [...passing, ...refused].map(([, beside, line], at) => {
    const name = basename(beside) === 'testing.ts' ? `case-${at}/testing.ts` : `case-${at}.ts`;
    return [`${beside} ${line}`, join(dirname(beside), name)];
  }),
);
const refusals = (beside, line) =>
  diagnostics.filter(({ filename }) => filename === files.get(`${beside} ${line}`)).map(({ code }) => code);

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'lensforge-lint-'));
  const isRead = (path) => !/\/(node_modules|dist|src|test|browser)$/.test(path);
  for (const name of [
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
    'oxlint.config.mjs',
    'apps',
    'libs',
    'tools',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isRead });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [, beside, line] of [...passing, ...refused]) {
    const file = files.get(`${beside} ${line}`);
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    writeFileSync(join(copy, file), `${line}\nexport const another = 1;\n`);
  }
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  const args = [program, '-c', 'oxlint.config.mjs', '-f', 'json', ...files.values()];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  const report = JSON.parse(stdout);
  expect(report.number_of_files).toBe(files.size);
  diagnostics = report.diagnostics;
}, patience);

afterAll(() => rmSync(copy, { recursive: true }));

it.each(passing)('lint lets %s pass', (_, file, line) => expect(refusals(file, line)).toEqual([]));

it.each(refused)('lint refuses %s', (_, file, line, rule) => expect(refusals(file, line)).toContain(rule));
