import { readFileSync } from 'node:fs';
import { runDemo } from './demo-run.js';
import { type StartFacts, toDevFacts, writeDevFile } from './dev-file.js';
import { LogFile } from './log-file.js';
import { type Log, both, openLog, withoutServices } from './log.js';
import { drawPage, shortPath } from './page.js';
import { type Platform, startPlatform } from './platform.js';
import type { PlatformOptions } from './platform-options.js';
import { readPortBase } from './ports.js';
import { readReplicas } from './replicas.js';
import { pickHome } from './running.js';
import { knownServices } from './services.js';
import { StartupError } from './startup-error.js';
import type { ProviderKeys } from './provider-keys.js';

export interface Command {
  fresh: boolean;
  environment: NodeJS.ProcessEnv;
  /** The folder in which the command was called. */
  folder: string;
  /** Shows the logs of all processes, too. */
  logs: boolean;
  /** Keys of providers to store and to use. */
  providerKeys: ProviderKeys;
  startedAt: number;
  built: Promise<void>;
  signal: AbortSignal;
}

function readOptions(command: Command, log: Log): PlatformOptions {
  const { fresh, environment, folder, logs, providerKeys, built, signal } = command;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = environment;
  const [databaseCa, redisCa] = [readCa(environment, 'DATABASE_CA'), readCa(environment, 'REDIS_CA')];
  const names = knownServices().map(({ name }) => name);
  return {
    home: pickHome(environment, folder),
    fresh,
    samples: environment['LENSFORGE_SAMPLES'] !== 'off',
    portBase: readPortBase(environment['LENSFORGE_PORT_BASE'] || undefined),
    replicas: readReplicas(environment['LENSFORGE_REPLICAS'] ?? '', names),
    allInOne: readAllInOne(environment),
    ...(databaseUrl && { databaseUrl }),
    ...(redisUrl && { redisUrl }),
    ...(databaseCa && { databaseCa }),
    ...(redisCa && { redisCa }),
    providerKeys,
    log,
    logFormat: logs && process.stdout.isTTY ? 'pretty' : 'json',
    built,
    signal,
  };
}

/** LENSFORGE_ALL_IN_ONE: on or off. */
function readAllInOne({ LENSFORGE_ALL_IN_ONE: text, LENSFORGE_REPLICAS: replicas }: NodeJS.ProcessEnv): boolean {
  if (!text || text === 'off') return false;
  if (text !== 'on') throw new StartupError(`LENSFORGE_ALL_IN_ONE is "${text}": it must be on or off.`);
  if (replicas)
    throw new StartupError('LENSFORGE_ALL_IN_ONE=on is one process: set it or LENSFORGE_REPLICAS, not both.');
  return true;
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

async function demoRun(
  { urls, tokens, lensId }: Platform,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<StartFacts['run']> {
  if (!urls['api'] || !tokens['developer'] || !lensId) return undefined;
  try {
    const { runId, status } = await runDemo(urls['api'], tokens['developer'], lensId, signal);
    if (!status) log.say('warn', 'the demo run has not ended yet', { runId });
    return { runId, status: status ?? 'running' };
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

const write = (line: string): void => void process.stdout.write(`${line}\n`);

interface TerminalLog extends Log {
  /** After the page, the terminal shows warnings and errors only; logs of all processes continue. */
  pageShown: boolean;
}

/** The log of the terminal: that of the launcher, which is brief, or with `--logs` that of all processes. */
function openTerminalLog({ logs, environment }: Command): TerminalLog {
  const least = environment['LOG_LEVEL'];
  const format = process.stdout.isTTY ? 'pretty' : 'json';
  const log = logs ? openLog({ format, write, least }) : withoutServices(openLog({ format: 'plain', write, least }));
  const terminal: TerminalLog = {
    pageShown: false,
    say: (level, ...words) => {
      if (logs || !terminal.pageShown || level === 'warn' || level === 'error') log.say(level, ...words);
    },
    pass: (...words) => log.pass(...words),
  };
  return terminal;
}

/** `npm start`: runs the platform in the foreground until the signal. Throws when it cannot start or run. */
export async function runCommand(command: Command): Promise<void> {
  const { signal, startedAt, environment, folder } = command;
  const file = new LogFile(pickHome(environment, folder));
  const fileLog = openLog({ format: 'json', write: (line) => file.write(line), least: environment['LOG_LEVEL'] });
  const terminal = openTerminalLog(command);
  const log = both(terminal, fileLog);
  const platform = await startPlatform(readOptions(command, log));
  const start: StartFacts = {
    providers: platform.providers,
    run: await demoRun(platform, { log, signal }),
    logFile: file.path,
    startSeconds: (performance.now() - startedAt) / 1000,
  };
  terminal.pageShown = true;
  write(drawPage(toDevFacts(platform, start), folder));
  const devFile = await writeDevFile(platform, start);
  platform.onPidsChange(() => void devFile.update());
  platform.onTokensChange(() => void devFile.update());
  const fault = await Promise.race([platform.givenUp, once(signal)]);
  terminal.pageShown = false;
  log.say('info', 'stopping: services finish what they hold');
  await devFile.remove();
  await platform.stop();
  if (fault) throw fault;
  log.say('info', `everything is stopped; the logs are in ${shortPath(file.path, folder)}`);
}
