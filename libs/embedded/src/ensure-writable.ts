import { access, constants, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServerFault } from './server-fault.js';

/* mkdir's own `recursive` never returns on file systems such as /proc, where a folder's parent is there and it cannot be. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/** Makes the folder where it is missing; one that cannot be used is named, and why. */
export async function ensureWritable(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ServerFault(`The folder ${folder} cannot be written to (${code}): choose another with LENSFORGE_HOME.`, {
      cause: error,
    });
  }
}
