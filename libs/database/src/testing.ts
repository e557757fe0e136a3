import type { Context } from '@lensforge/core';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { type DatabaseOptions, openDatabase } from './open-database.js';

export interface TestDatabase {
  url: string;
  source: DataSource;
  ctx: Context;
  close(): Promise<void>;
}

/** Opens a connection pool on a fresh database. */
export async function openTestDatabase({
  poolSize = 10,
}: Partial<Pick<DatabaseOptions, 'poolSize'>> = {}): Promise<TestDatabase> {
  const database = await freshDatabase();
  const { url } = database;
  const source = await openDatabase({ url, applicationName: 'spec', poolSize });
  return {
    url,
    source,
    ctx: aContext(source.manager),
    close: async () => {
      await source.destroy();
      await database.drop();
    },
  };
}
