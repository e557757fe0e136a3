/** The addresses of the test servers; tools/jest/start-servers.mjs starts them and sets these variables. */
const read = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run the specs through Jest from the repository root, which starts the servers`);
};

export const testDatabaseServer = (): string => read('LENSFORGE_TEST_DATABASE_URL');
export const testTemplate = (): string => read('LENSFORGE_TEST_TEMPLATE');
export const testRedisUrl = (): string => read('LENSFORGE_TEST_REDIS_URL');

/** The data folder that tools/jest/start-journeys.mjs has made, for platforms with the embedded PostgreSQL. */
export const migratedDataFolder = (): string | undefined =>
  process.env['LENSFORGE_POSTGRES_BIN'] ? undefined : process.env['TEST_DATA_FOLDER'];
