const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
  testEnvironment: '<rootDir>/tools/jest/native-environment.cjs',
  runtime: '<rootDir>/tools/jest/native-runtime.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: {},
  modulePathIgnorePatterns: [
    '<rootDir>/.*/dist/',
    '<rootDir>/dist/',
    '<rootDir>/bundle/',
    '<rootDir>/.nx/',
    '<rootDir>/.lensforge/',
  ],
  setupFiles: ['<rootDir>/tools/jest/loopback-only.cjs'],
  globalSetup: '<rootDir>/tools/jest/start-servers.mjs',
  globalTeardown: '<rootDir>/tools/jest/stop-servers.mjs',
  ...more,
});

/** Tests of tables, counts, generated files and other promises, which need no servers; `near` has them, too. */
const guards = [
  'libs/contracts/src/{catalogue,openapi}/*.spec.ts',
  'apps/api-gateway/test/credential-table.spec.ts',
  'apps/mcp-gateway/test/examples.spec.ts',
  'libs/tools/src/catalogue.spec.ts',
  'tools/generate/src/*.spec.ts',
  'tools/site/src/*.spec.ts',
  'tools/manifests/src/!(scaler-queries|alerts).spec.ts',
  'tools/checks/!(boundaries).spec.mjs',
];
const withoutServers = { globalSetup: undefined, globalTeardown: undefined };

export default {
  maxWorkers: 2,
  // Long enough for a machine that is busy with other things; no test is about how fast it is.
  testTimeout: 60_000,
  // Each file leaves some 30 MB of modules behind: a process that has run many would only collect garbage.
  workerIdleMemoryLimit: '1500MB',
  projects: [
    project('near', [
      'libs/*/src/**/*.spec.ts',
      'libs/*/test/**/*.spec.ts',
      'apps/*/src/**/*.spec.ts',
      'apps/*/test/**/*.spec.ts',
      'tools/*/src/**/*.spec.ts',
      'tools/checks/*.spec.mjs',
    ]),
    project('guards', guards, withoutServers),
    project('journey', ['apps/e2e/src/**/*.journey.ts'], withoutServers),
    project('faults', ['apps/e2e/src/**/*.faults.ts'], withoutServers),
  ],
};
