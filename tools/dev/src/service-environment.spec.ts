import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { masterKeyIn } from './service-environment.js';

describe('the master key', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge-key-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is read from the environment or from the named file', async () => {
    const file = join(folder, 'key');
    await writeFile(file, '1:from-a-file\n');
    expect(await masterKeyIn({ LENSFORGE_MASTER_KEY: '1:given' })).toBe('1:given');
    expect(await masterKeyIn({ LENSFORGE_MASTER_KEY_FILE: file })).toBe('1:from-a-file');
  });

  it('fails the start with the name of an unreadable file', async () => {
    const file = join(folder, 'absent');
    await expect(masterKeyIn({ LENSFORGE_MASTER_KEY_FILE: file })).rejects.toMatchObject({
      name: 'StartupError',
      message: `LENSFORGE_MASTER_KEY_FILE names ${file}, which cannot be read (ENOENT).`,
    });
  });
});
