import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the data folder of a migrated PostgreSQL that has stopped; each platform begins with a copy of it. */
export default async function startJourneys() {
  const { startPostgres } = await import('@lensforge/embedded');
  const { migrate } = await import('@lensforge/database');
  const folder = await mkdtemp(join(tmpdir(), 'lensforge-data-'));
  globalThis.lensforgeTestData = folder;
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir, fast: true });
  try {
    await migrate(postgres.url);
  } finally {
    await postgres.stop();
  }
  process.env.TEST_DATA_FOLDER = dataDir;
}
