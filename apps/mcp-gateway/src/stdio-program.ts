import type { Readable, Writable } from 'node:stream';
import { limitTeamRuns } from '@lensforge/agents';
import { scopes } from '@lensforge/contracts';
import { type Actor, newId, noAccountId, systemClock } from '@lensforge/core';
import { checkSchema, openDatabase } from '@lensforge/database';
import { StartupError, Metrics, createLogger, toHostAndPath, readEnvironment } from '@lensforge/edge';
import { Account, findServiceRole } from '@lensforge/identity';
import { tools } from '@lensforge/tools';
import { type DataSource, Not } from 'typeorm';
import { recordCalls } from './call-metrics.js';
import { createDispatch } from './dispatch.js';
import { serveStdio } from './stdio-transport.js';
import { StdioEnvironment } from './stdio-environment.js';

export interface StdioProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
}

/** Serves the tools until the input ends. Startup errors have a message for the operator. */
export async function runStdio({ environment: source, input, output, errors }: StdioProcess): Promise<void> {
  const environment = readEnvironment(StdioEnvironment, source);
  const logger = createLogger({
    service: 'lensforge-mcp',
    level: environment.LOG_LEVEL,
    format: environment.LOG_FORMAT,
    to: errors,
  });
  const database = await open(environment);
  try {
    limitTeamRuns(database, environment.LENSFORGE_TEAM_RUNS_PER_DAY);
    const actor = await authenticate(environment, database);
    const dispatch = createDispatch({
      tools,
      onFault: (err, { requestId }) => logger.error({ err, requestId }, 'a message could not be handled'),
      onCall: recordCalls({ logger, metrics: new Metrics('lensforge-mcp') }),
    });
    const context = () => ({ actor, db: database.manager, now: systemClock, requestId: newId() });
    await serveStdio({ input, output, dispatch, context });
  } finally {
    await database.destroy();
  }
}

async function open({ databaseAddress, DATABASE_POOL_SIZE: poolSize }: StdioEnvironment): Promise<DataSource> {
  const options = { ...databaseAddress, poolSize, applicationName: 'lensforge-mcp' };
  const database = await openDatabase(options).catch((error: unknown) => {
    throw new StartupError(
      `the database at ${toHostAndPath(databaseAddress.url)} cannot be opened: ${(error as Error).message}`,
    );
  });
  try {
    await checkSchema((sql) => database.query(sql));
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function authenticate(environment: StdioEnvironment, { manager }: DataSource): Promise<Actor> {
  const { LENSFORGE_SERVICE_ROLE_KEY: key, LENSFORGE_DEFAULT_LENSER_ID: accountId = noAccountId } = environment;
  const role = await findServiceRole(manager, key);
  if (!role) {
    throw new StartupError(
      'LENSFORGE_SERVICE_ROLE_KEY is not a service role key of this platform, or its signing key has been ' +
        'replaced: "lensforge-operate issue-service-role-key" prints a new one',
    );
  }
  if (accountId !== noAccountId && !(await manager.existsBy(Account, { id: accountId, kind: Not('agent') }))) {
    throw new StartupError(`LENSFORGE_DEFAULT_LENSER_ID: there is no person or community with the id ${accountId}`);
  }
  return { credential: { kind: 'service_role', id: role.id }, accountId, userId: null, scopes };
}
