import { access, constants, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServerFault } from './server-fault.js';

/* The `recursive` option of mkdir never returns on file systems such as /proc, which refuse new folders. */
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

/** Makes the folder if it is missing. Throws ServerFault when it is not writable. */
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
