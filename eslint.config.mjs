import { readdirSync, readFileSync } from 'node:fs';
import eslint from '@eslint/js';
import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { rules } from './tools/checks/lint-rules.mjs';

// Plugins of Nx in processes of their own end themselves after 10 s without work, which a busy machine exceeds.
process.env.NX_ISOLATE_PLUGINS = 'false';

// Without a graph on disk the boundaries rule only warns and lets everything pass. Under Nx the graph is already there.
if (!process.env.NX_TASK_TARGET_PROJECT) await createProjectGraphAsync({ exitOnError: false, resetDaemonClient: true });

// Who may depend on whom. A project without a row here may depend on nothing; lib/testing is for specs alone (see below).
const ground = ['scope:contracts', 'scope:core', 'scope:database'];
const dependencies = {
  'scope:contracts': [],
  'scope:core': ['scope:contracts'],
  'scope:database': ['scope:contracts', 'scope:core', 'scope:testing'],
  'scope:sandbox': ['scope:core', 'scope:contracts'],
  'scope:queue': [...ground, 'scope:testing'],
  'scope:audit': [...ground, 'scope:testing'],
  'scope:identity': [...ground, 'scope:audit', 'scope:vault', 'scope:testing'],
  'scope:communities': [...ground, 'scope:identity', 'scope:audit', 'scope:testing'],
  'scope:credits': [...ground, 'scope:testing'],
  'scope:lenses': [...ground, 'scope:identity', 'scope:audit', 'scope:sandbox', 'scope:testing'],
  'scope:workflows': [...ground, 'scope:lenses', 'scope:identity', 'scope:audit', 'scope:sandbox', 'scope:testing'],
  'scope:byok': [...ground, 'scope:identity', 'scope:audit', 'scope:vault', 'scope:testing'],
  'scope:models': [...ground, 'scope:testing'],
  'scope:runs': [
    ...ground,
    'scope:models',
    'scope:lenses',
    'scope:workflows',
    'scope:credits',
    'scope:sandbox',
    'scope:testing',
  ],
  'scope:battles': [
    ...ground,
    'scope:identity',
    'scope:audit',
    'scope:models',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:sandbox',
    'scope:testing',
  ],
  'scope:tools': [
    ...ground,
    'scope:identity',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:battles',
    'scope:agents',
    'scope:testing',
  ],
  'scope:agents': [
    ...ground,
    'scope:identity',
    'scope:audit',
    'scope:models',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:battles',
    'scope:byok',
    'scope:vault',
    'scope:testing',
  ],
  'scope:threads': [
    ...ground,
    'scope:identity',
    'scope:audit',
    'scope:lenses',
    'scope:workflows',
    'scope:models',
    'scope:runs',
    'scope:battles',
    'scope:agents',
    'scope:testing',
  ],
  'scope:master-keys': [...ground, 'scope:vault', 'scope:testing'],
  'scope:webhooks': [...ground, 'scope:audit', 'scope:vault', 'scope:testing'],
  'scope:edge': [...ground, 'scope:queue', 'scope:identity', 'scope:sandbox', 'scope:testing'],
  'scope:testing': ['scope:contracts', 'scope:core', 'scope:embedded'],
  'type:base': [],
  'type:app': [...ground, 'scope:queue', 'scope:edge', 'type:domain', 'scope:vault', 'scope:egress', 'scope:testing'],
  'type:e2e': [
    ...ground,
    'scope:queue',
    'type:domain',
    'scope:vault',
    'scope:dev',
    'scope:embedded',
    'scope:manifests',
    'scope:sdk',
    'scope:testing',
  ],
  'scope:dev': [...ground, 'type:domain', 'scope:vault', 'scope:embedded'],
  'scope:bench': ['scope:contracts', 'scope:edge', 'scope:dev'],
  'scope:generate': ['scope:contracts', 'scope:edge'],
  'scope:sdk': ['scope:contracts'],
  'scope:site': [],
  'scope:cli': ['scope:sdk'],
  'scope:console': ['scope:sdk'],
  'scope:manifests': ['scope:contracts', 'scope:edge', 'scope:database', 'scope:testing'],
};

const ban = (message, ...regexes) => regexes.map((regex) => ({ regex, message }));
const deep = ban(
  'Import what the package exports, not the files inside it.',
  '^@lensforge/[^/]+/(?!(testing|sandboxed)$)',
);
const builders = ban('Builders and test servers are for specs.', '^@lensforge/testing$', '^@lensforge/[^/]+/testing$');
const unlimited = ban(
  'What users write is computed in the sandbox: call what the package exports, or write a task.',
  '^@lensforge/[^/]+/sandboxed$',
);
const nest = ban('Nest stays at the doors (apps, libs/edge).', '^@nestjs/');
const post = ban('Redis and the post stay in libs/queue and libs/edge: write an outbox row.', '^bullmq', '^ioredis');
const http = ban('The domain never speaks HTTP.', '^(fastify|undici|axios)', '^(node:)?https?2?$');
const quietGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
  name,
  message: 'The domain never speaks HTTP.',
}));

const tagsOf = (lib) => JSON.parse(readFileSync(new URL(`libs/${lib}/package.json`, import.meta.url))).nx.tags;
const libs = readdirSync(new URL('libs/', import.meta.url));
const pure = libs.filter((lib) => tagsOf(lib).some((tag) => /^type:(domain|contracts|core|database)$/.test(tag)));
const doors = ['edge', 'queue'];
const others = libs.filter((lib) => !pure.includes(lib) && !doors.includes(lib));

const under = (names) => names.map((name) => `libs/${name}/**/*.ts`);
const proofs = [
  '**/*.spec.ts',
  '**/*.{journey,sample}.ts',
  '**/*.faults.ts',
  '**/testing.ts',
  '{apps,libs}/*/test/**',
  'apps/e2e/**',
  'tools/**',
  'libs/testing/**',
];

/** The import bans of some files; their specs may use builders on top. */
const imports = (files, ...bans) => {
  const rules = (patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
  const within = (globs) => globs.flatMap((glob) => files.map((file) => [file, glob]));
  return [
    { files, rules: rules([...deep, ...bans, ...unlimited, ...builders]) },
    { files: within(['**/*-tasks.ts']), rules: rules([...deep, ...bans, ...builders]) },
    { files: within(proofs), rules: rules([...deep, ...bans]) },
  ];
};

const typed = [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked];

export default tseslint.config(
  { ignores: ['**/dist/', 'bundle/', '.nx/', '.lensforge/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' }, plugins: { lensforge: rules, '@nx': nx } },
  eslint.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-duplicate-imports': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      // Control characters are what some of our patterns are about.
      'no-control-regex': 'off',
      'lensforge/named-exports': 'error',
      'lensforge/environment-at-the-edge': 'error',
      'lensforge/modules-at-the-edge': 'error',
      'lensforge/reasoned-disable': 'error',
      'lensforge/folder-names': 'error',
      'lensforge/no-module-weak-map': 'error',
      'lensforge/plain-comments': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: typed,
    // One program for the whole repository: half the time of one for each package.
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          banTransitiveDependencies: true,
          depConstraints: Object.entries(dependencies).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
            sourceTag,
            onlyDependOnLibsWithTags,
          })),
        },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Wire shapes are classes of plain fields; spreading one is how it is copied.
      '@typescript-eslint/no-misused-spread': 'off',
      // Its cure is the non-null assertion, which is refused.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A wire shape is a class of fields; a Nest module is an empty class under a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // An async function without await keeps a promise-shaped contract: what it throws becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true, boolean: true } }],
    },
  },
  imports(['apps/**/*.ts', 'tools/**/*.ts', ...under(doors)]),
  imports(under(others), ...nest),
  imports(under(pure), ...nest, ...post, ...http),
  { files: under(pure), rules: { 'no-restricted-globals': ['error', ...quietGlobals] } },
  {
    files: ['apps/**/*.ts', 'libs/edge/**/*.ts', '**/*.spec.ts'],
    rules: { 'lensforge/modules-at-the-edge': 'off' },
  },
  {
    // libs/embedded hands the caller's environment on to servers that it starts; libs/testing reads where they are.
    files: [
      'libs/edge/src/boot/environment.ts',
      'libs/{embedded,testing}/**',
      '{docker,tools}/**',
      '**/*.spec.ts',
      '**/*.{journey,sample}.ts',
      '**/*.faults.ts',
      '*.mjs',
      'apps/console/vite.config.mjs',
      'examples/**',
    ],
    rules: { 'lensforge/environment-at-the-edge': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*.{journey,sample}.ts', '{apps,libs}/*/test/**/*.ts'],
    rules: {
      // expect.objectContaining() and friends are typed any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  // A program of its own, with the types of browsers. Views are default exports, which the router loads.
  {
    files: ['apps/console/**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: { project: './apps/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['apps/console/src/**/*-view.tsx', 'apps/console/vite.config.mjs'],
    rules: { 'lensforge/named-exports': 'off' },
  },
  // Comments of generated files are checked in the descriptions of libs/contracts that they repeat.
  { files: ['libs/sdk/src/generated/**'], rules: { 'lensforge/plain-comments': 'off' } },
  { files: ['tools/**', 'examples/**'], rules: { 'no-console': 'off' } },
  { files: ['*.config.mjs', 'tools/jest/**'], rules: { 'lensforge/named-exports': 'off' } },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: Object.fromEntries(nodeGlobals().map((name) => [name, 'readonly'])) },
  },
);

function nodeGlobals() {
  return [...Object.getOwnPropertyNames(globalThis), 'require', 'module', '__dirname', '__filename'];
}
