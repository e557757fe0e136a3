import { SchemaError, checkSchema } from '@lensforge/database';
import { type Command, UsageError } from '../command.js';
import { runPostgresClient } from '../postgres-client.js';

const nextSteps = [
  'Next, in this order:',
  '1. lensforge-operate migrate --app-role <name>: grants the services their privileges, and migrates an older backup',
  '2. empty Redis, whose jobs are of another time: FLUSHDB, or another REDIS_PREFIX',
  '3. lensforge-operate doctor: compares the master keys with the backup',
  '4. start the services, then lensforge-operate rebuild-queue',
];

export const restoreCommand: Command = {
  usage: 'restore <file>',
  description:
    'restores a dump into an empty database, all or nothing, and prints the next steps; needs pg_restore and the role that will own the tables',
  onAnySchema: true,
  run: async ({ ctx, environment, print, searchPath }, [file, ...more]) => {
    if (file === undefined || file.startsWith('-') || more.length > 0)
      throw new UsageError('restore takes a file name');
    const [{ tables }] = await ctx.db.query<[{ tables: number }]>(
      `select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    if (tables > 0)
      throw new UsageError(
        `the database has ${tables} tables: create an empty one, and name it in DATABASE_URL, so that nothing is overwritten`,
      );
    const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password'];
    await runPostgresClient('pg_restore', [...args, `--dbname=${getDatabaseName(environment.DATABASE_URL)}`, file], {
      databaseUrl: environment.DATABASE_URL,
      path: searchPath,
    });
    // Statistics are not in a dump, and plans are bad without them.
    await ctx.db.query(`set statement_timeout = 0`);
    await ctx.db.query('analyze');
    const [{ runs }] = await ctx.db.query<[{ runs: number }]>('select count(*)::int as runs from runs');
    print(`restored ${file}: ${runs} runs; ${await describeSchema((sql) => ctx.db.query(sql))}`);
    for (const line of nextSteps) print(line);
    return true;
  },
};

const getDatabaseName = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

const describeSchema = (query: Parameters<typeof checkSchema>[0]): Promise<string> =>
  checkSchema(query).then(
    ([warning]) => warning ?? 'its schema is that of this program',
    (error: unknown) => {
      if (error instanceof SchemaError) return error.message;
      throw error;
    },
  );
