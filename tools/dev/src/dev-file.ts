import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from './platform.js';

export interface DevFile {
  /** Writes the current process ids and tokens. */
  update(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes `dev.json` in the home folder, the table for programs, which exists while the platform runs. */
export async function writeDevFile(platform: Platform): Promise<DevFile> {
  const path = join(platform.home, 'dev.json');
  const { urls, databaseUrl, redisUrl, users, lensId, workflowId } = platform;
  let turn: Promise<void> = Promise.resolve();
  let gone = false;

  const write = async (): Promise<void> => {
    if (gone) return;
    const { pids, tokens } = platform;
    const facts = { ready: true, pids, urls, databaseUrl, redisUrl, users, tokens, lensId, workflowId };
    const half = `${path}.new`;
    await writeFile(half, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
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
