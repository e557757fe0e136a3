const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
  testEnvironment: '<rootDir>/tools/jest/native-environment.cjs',
  runtime: '<rootDir>/tools/jest/native-runtime.cjs',
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

/** Tests of tables, counts, generated files and other promises, which need no servers; `near` and `services` have them, too. */
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
const ofJourneys = {
  globalSetup: '<rootDir>/tools/jest/start-journeys.mjs',
  globalTeardown: '<rootDir>/tools/jest/stop-journeys.mjs',
};

export default {
  maxWorkers: 2,
  // Long enough for a machine that is busy with other things; no test is about how fast it is.
  testTimeout: 900_000,
  workerIdleMemoryLimit: '1500MB',
  testSequencer: '<rootDir>/tools/jest/longest-first.cjs',
  cacheDirectory: '<rootDir>/.nx/jest',
  // `plans` and `outage` repeat files of other projects, on an installed PostgreSQL.
  projects: [
    project('near', [
      'libs/*/src/**/*.spec.ts',
      'libs/*/test/**/*.spec.ts',
      'apps/*/src/**/*.spec.ts',
      'tools/*/src/**/*.spec.ts',
      'tools/checks/*.spec.mjs',
    ]),
    project('services', ['apps/*/test/**/*.spec.ts']),
    project('plans', ['apps/e2e/src/{query-plans*,generic-plans}.spec.ts']),
    project('guards', guards, withoutServers),
    project('journey', ['apps/e2e/src/**/*.journey.ts'], ofJourneys),
    project('outage', ['apps/e2e/src/lost-postgres.journey.ts'], withoutServers),
    project('sample', [process.env.FAULT_SAMPLE ?? 'apps/e2e/src/**/*.sample.ts'], withoutServers),
    project('faults', ['apps/e2e/src/**/*.faults.ts'], withoutServers),
  ],
};
