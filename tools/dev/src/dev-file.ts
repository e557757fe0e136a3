import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByokProvider } from '@lensforge/contracts';
import { isAlive } from '@lensforge/embedded';
import type { DemoUser } from './demo-data.js';
import type { Pids } from './fleet.js';
import type { Platform } from './platform.js';
import { StartupError } from './startup-error.js';

/** The content of `dev.json`: all that a program or the page of `npm start` shows of a running platform. */
export interface DevFacts {
  ready: true;
  /** The process id of the launcher. */
  pid: number;
  pids: Pids;
  urls: Readonly<Record<string, string>>;
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  users: readonly DemoUser[];
  tokens: Readonly<Record<string, string>>;
  lensId?: string | undefined;
  workflowId?: string | undefined;
  /** The providers with a key, without `offline`. */
  providers: readonly ByokProvider[];
  run?: { runId: string; status: string } | undefined;
  logFile: string;
  startSeconds: number;
}

export type StartFacts = Pick<DevFacts, 'providers' | 'run' | 'logFile' | 'startSeconds'>;

export const toDevFacts = (platform: Platform, start: StartFacts): DevFacts => {
  const { pids, urls, databaseUrl, redisUrl, redisPrefix, users, tokens, lensId, workflowId } = platform;
  return {
    ready: true,
    pid: process.pid,
    pids,
    urls,
    databaseUrl,
    redisUrl,
    redisPrefix,
    users,
    tokens,
    lensId,
    workflowId,
    ...start,
  };
};

const pathIn = (home: string): string => join(home, 'dev.json');

/** Reads `dev.json` of a running platform. */
export async function readDevFile(home: string): Promise<DevFacts> {
  const facts = await readFile(pathIn(home), 'utf8').then(
    (text) => JSON.parse(text) as DevFacts,
    () => undefined,
  );
  if (facts && isAlive(facts.pid)) return facts;
  throw new StartupError(`No platform is running in ${home}: start one with npm start, or set LENSFORGE_HOME.`);
}

export interface DevFile {
  /** Writes the current process ids and tokens. */
  update(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes `dev.json` in the home folder, which exists while the platform runs. */
export async function writeDevFile(platform: Platform, start: StartFacts): Promise<DevFile> {
  const path = pathIn(platform.home);
  let turn: Promise<void> = Promise.resolve();
  let gone = false;

  const write = async (): Promise<void> => {
    if (gone) return;
    const half = `${path}.new`;
    await writeFile(half, `${JSON.stringify(toDevFacts(platform, start), null, 2)}\n`, { mode: 0o600 });
    await chmod(half, 0o600);
    await rename(half, path);
  };
  const update = (): Promise<void> => {
    turn = turn.then(write);
    return turn;
  };

  await update();
  return {
    update,
    remove: async () => {
      gone = true;
      await turn;
      await rm(path, { force: true });
    },
  };
}
