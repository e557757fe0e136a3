import { readdirSync, readFileSync } from 'node:fs';

// The rules of lint: node_modules/.bin/oxlint -c oxlint.config.mjs, or npm run lint. Rules with types read tsconfig.json.
const errors = (names) => Object.fromEntries(names.map((name) => [name, 'error']));
const off = (...names) => Object.fromEntries(names.map((name) => [name, 'off']));
const words = (text) => text.trim().split(/\s+/);

const correctness = errors(
  words(`
    for-direction no-async-promise-executor no-case-declarations no-compare-neg-zero no-cond-assign
    no-constant-binary-expression no-constant-condition no-debugger no-delete-var no-dupe-else-if no-duplicate-case
    no-empty no-empty-character-class no-empty-pattern no-empty-static-block no-ex-assign no-extra-boolean-cast
    no-fallthrough no-global-assign no-invalid-regexp no-irregular-whitespace no-loss-of-precision
    no-misleading-character-class no-nonoctal-decimal-escape no-prototype-builtins no-regex-spaces no-self-assign
    no-shadow-restricted-names no-sparse-arrays no-unassigned-vars no-unexpected-multiline no-unsafe-finally
    no-unsafe-optional-chaining no-unused-labels no-unused-private-class-members no-useless-backreference
    no-useless-assignment no-useless-catch no-useless-escape preserve-caught-error require-yield use-isnan valid-typeof
    eqeqeq no-console no-duplicate-imports object-shorthand prefer-const
  `),
);

/** Rules that TypeScript's compiler implies, for other files. */
const impliedByTypes = words(`
  constructor-super getter-return no-class-assign no-const-assign no-dupe-class-members no-dupe-keys no-func-assign
  no-import-assign no-new-native-nonconstructor no-obj-calls no-redeclare no-setter-return no-this-before-super no-undef
  no-unreachable no-unsafe-negation no-with
`);

const withTypes = errors(
  words(`
    await-thenable no-array-delete no-base-to-string no-deprecated no-duplicate-enum-values
    no-duplicate-type-constituents no-dynamic-delete no-empty-object-type no-explicit-any no-extra-non-null-assertion
    no-floating-promises no-for-in-array no-generated-empty-object-type no-implied-eval no-invalid-void-type
    no-meaningless-void-operator no-misused-new no-misused-promises no-mixed-enums no-namespace
    no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain no-non-null-assertion
    no-redundant-type-constituents no-require-imports no-this-alias no-unnecessary-boolean-literal-compare
    no-unnecessary-template-expression no-unnecessary-type-arguments no-unnecessary-type-assertion
    no-unnecessary-type-constraint no-unnecessary-type-conversion no-unnecessary-type-parameters no-unsafe-argument
    no-unsafe-assignment no-unsafe-call no-unsafe-declaration-merging no-unsafe-enum-assignment no-unsafe-enum-comparison
    no-unsafe-function-type no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus
    no-useless-default-assignment no-wrapper-object-types only-throw-error prefer-as-const prefer-literal-enum-member
    prefer-namespace-keyword prefer-promise-reject-errors prefer-reduce-type-parameter prefer-return-this-type
    related-getter-setter-pairs triple-slash-reference unbound-method unified-signatures
    use-unknown-in-catch-callback-variable adjacent-overload-signatures array-type ban-tslint-comment
    class-literal-property-style consistent-generic-constructors consistent-indexed-object-style
    consistent-type-assertions no-confusing-non-null-assertion no-inferrable-types prefer-find prefer-for-of
    prefer-function-type prefer-includes prefer-optional-chain prefer-regexp-exec prefer-string-starts-ends-with
  `).map((name) => `typescript/${name}`),
);

/** Rules with options. */
const chosen = {
  'no-empty-function': ['error', { allow: ['arrowFunctions'] }],
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  'typescript/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
  'typescript/no-confusing-void-expression': [
    'error',
    { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
  ],
  // A wire shape is a class of fields; a Nest module is an empty class under a decorator.
  'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
  'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
  'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true, boolean: true } }],
  'typescript/restrict-plus-operands': [
    'error',
    { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

const isPure = (lib) => {
  const { nx } = JSON.parse(readFileSync(new URL(`libs/${lib}/package.json`, import.meta.url), 'utf8'));
  return nx.tags.some((tag) => /^type:(domain|contracts|core|database)$/.test(tag));
};
const pure = readdirSync(new URL('libs/', import.meta.url)).filter(isPure);
const requests = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

const tests = ['**/*.spec.ts', '**/*.{journey,sample}.ts', '{apps,libs}/*/test/**/*.ts'];

export default {
  plugins: ['typescript', 'react'],
  jsPlugins: ['./tools/checks/lint-rules.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  env: { builtin: true, node: true },
  ignorePatterns: ['**/dist/', 'bundle/', '.nx/', '.lensforge/', 'coverage/'],
  rules: {
    ...correctness,
    ...errors(impliedByTypes),
    'no-unused-vars': chosen['no-unused-vars'],
    'lensforge/named-exports': 'error',
    'lensforge/environment-at-the-edge': 'error',
    'lensforge/modules-at-the-edge': 'error',
    'lensforge/reasoned-disable': 'error',
    'lensforge/folder-names': 'error',
    'lensforge/no-module-weak-map': 'error',
    'lensforge/plain-comments': 'error',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...off(...impliedByTypes),
        ...errors(
          words(`
            no-var prefer-rest-params prefer-spread no-array-constructor no-unused-expressions no-useless-constructor
          `),
        ),
        ...withTypes,
        ...chosen,
        'lensforge/imports': 'error',
      },
    },
    {
      files: ['apps/console/src/**/*.{ts,tsx}'],
      rules: errors(['react/exhaustive-deps', 'react/rules-of-hooks']),
    },
    {
      files: pure.map((lib) => `libs/${lib}/**/*.ts`),
      rules: {
        'no-restricted-globals': [
          'error',
          ...requests.map((name) => ({ name, message: 'Domain libraries do not speak HTTP.' })),
        ],
      },
    },
    // Classes in constructors of decorated classes are values, by which Nest injects; the rule does not see this.
    {
      files: ['apps/**/*.ts', 'libs/{edge,tools}/**/*.ts', 'tools/bench/**/*.ts'],
      rules: off('typescript/consistent-type-imports'),
    },
    { files: ['apps/**/*.ts', 'libs/edge/**/*.ts', '**/*.spec.ts'], rules: off('lensforge/modules-at-the-edge') },
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
      rules: off('lensforge/environment-at-the-edge'),
    },
    // expect.objectContaining() and friends are typed any; a missing member of a reply fails the test.
    {
      files: tests,
      rules: off(
        'no-unsafe-optional-chaining',
        'typescript/no-unsafe-assignment',
        'typescript/no-non-null-assertion',
        'typescript/unbound-method',
      ),
    },
    // Views of the console are default exports, which the router loads.
    {
      files: [
        'apps/console/src/**/*-view.tsx',
        'apps/console/vite.config.mjs',
        '*.config.mjs',
        'tools/jest/**',
        'tools/checks/lint-rules.mjs',
      ],
      rules: off('lensforge/named-exports'),
    },
    // Comments of generated files are checked in the descriptions of libs/contracts that they repeat.
    { files: ['libs/sdk/src/generated/**'], rules: off('lensforge/plain-comments') },
    { files: ['tools/**', 'examples/**'], rules: off('no-console') },
    { files: ['tools/site/browser/**'], env: { browser: true }, globals: { Scalar: 'readonly' } },
  ],
};
