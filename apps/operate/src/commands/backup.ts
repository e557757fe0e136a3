import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { newestSchema } from '@lensforge/database';
import { type Command, UsageError } from '../command.js';
import { runPostgresClient } from '../postgres-client.js';

const onlyOwner = 0o600;

export const backupCommand: Command = {
  usage: 'backup <file>',
  description:
    'writes a consistent dump of the database while services run, verifies that it can be read, and prints its hash; needs pg_dump and the role that owns the tables',
  run: async ({ environment, print, note, searchPath }, [file, ...more]) => {
    if (file === undefined || file.startsWith('-') || more.length > 0) throw new UsageError('backup takes a file name');
    if (await exists(file)) throw new UsageError(`${file} exists: name a new file, so that no backup is overwritten`);
    const partial = `${file}.partial`;
    const client = { databaseUrl: environment.DATABASE_URL, path: searchPath };
    // Rows hold prompts and results, so the file is created with its mode before it has content.
    await (await open(partial, 'w', onlyOwner)).close();
    await chmod(partial, onlyOwner);
    try {
      await runPostgresClient('pg_dump', ['--format=custom', '--no-password', `--file=${partial}`], client);
      const contents = await runPostgresClient('pg_restore', ['--list', partial], client);
      const tables = contents.split('\n').filter((line) => line.includes(' TABLE DATA ')).length;
      await rename(partial, file);
      const { size } = await stat(file);
      print(`${file}: ${size} bytes, ${tables} tables, schema ${newestSchema()}, SHA-256 ${await sha256(file)}`);
      note('Keep the master keys elsewhere: without them, sealed values of this backup cannot be read.');
    } finally {
      await rm(partial, { force: true });
    }
    return true;
  },
};

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
