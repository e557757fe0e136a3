import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runDemo } from './demo-run.js';
import type { DemoRun } from './demo-run.js';
import { writeDevFile } from './dev-file.js';
import { openLog } from './log.js';
import type { Log } from './log.js';
import { startPlatform } from './platform.js';
import type { Platform } from './platform.js';
import type { PlatformOptions } from './platform-options.js';
import { readPortBase } from './ports.js';
import { readReplicas } from './replicas.js';
import { knownServices, root } from './services.js';
import { StartupError } from './startup-error.js';
import { drawTable } from './table.js';

export interface Command {
  fresh: boolean;
  environment: NodeJS.ProcessEnv;
  /** The folder in which the command was called. */
  folder: string;
  startedAt: number;
  built: Promise<void>;
  signal: AbortSignal;
}

function readOptions({ fresh, environment, folder, built, signal }: Command, log: Log): PlatformOptions {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = environment;
  const [databaseCa, redisCa] = [readCa(environment, 'DATABASE_CA'), readCa(environment, 'REDIS_CA')];
  const names = knownServices().map(({ name }) => name);
  return {
    home: environment['LENSFORGE_HOME'] ? resolve(folder, environment['LENSFORGE_HOME']) : join(root, '.lensforge'),
    fresh,
    portBase: readPortBase(environment['LENSFORGE_PORT_BASE'] || undefined),
    replicas: readReplicas(environment['LENSFORGE_REPLICAS'] ?? '', names),
    ...(databaseUrl && { databaseUrl }),
    ...(redisUrl && { redisUrl }),
    ...(databaseCa && { databaseCa }),
    ...(redisCa && { redisCa }),
    log,
    logFormat: process.stdout.isTTY ? 'pretty' : 'json',
    built,
    signal,
  };
}

/** The certificates in a setting, or in the file that the setting with the suffix _FILE names. */
function readCa(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name];
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartupError(`${name}_FILE names ${file}, which cannot be read (${code}).`, { cause });
  }
}

async function showRun(
  { urls, tokens, lensId }: Platform,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<DemoRun | undefined> {
  if (!urls['api'] || !tokens['developer'] || !lensId) return undefined;
  try {
    const run = await runDemo(urls['api'], tokens['developer'], lensId, signal);
    if (!run.done) log.say('warn', 'the demo run has not ended yet', { runId: run.runId });
    return run;
  } catch (error) {
    log.say('error', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });

/** `npm start`: runs the platform in the foreground until the signal. Throws when it cannot start or run. */
export async function runCommand(command: Command): Promise<void> {
  const { signal, startedAt, environment } = command;
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const log = openLog({ format: process.stdout.isTTY ? 'pretty' : 'json', write, least: environment['LOG_LEVEL'] });
  const platform = await startPlatform(readOptions(command, log));
  const run = await showRun(platform, { log, signal });
  write(drawTable(platform, run, (performance.now() - startedAt) / 1000));
  const devFile = await writeDevFile(platform);
  platform.onPidsChange(() => void devFile.update());
  platform.onTokensChange(() => void devFile.update());
  const fault = await Promise.race([platform.givenUp, once(signal)]);
  log.say('info', 'stopping: services finish what they hold');
  await devFile.remove();
  await platform.stop();
  if (fault) throw fault;
  log.say('info', 'everything is stopped');
}
