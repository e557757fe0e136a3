import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogFile } from './log-file.js';

describe('the log file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge log '));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

  it('begins with each start and keeps that of the previous one', async () => {
    for (const line of ['first', 'second']) {
      const file = new LogFile(folder);
      file.write(line);
      file.write('more');
      file.close();
    }
    expect([await read('lensforge.previous.log'), await read('lensforge.log')]).toEqual([
      'first\nmore\n',
      'second\nmore\n',
    ]);
  });

  it('moves to the previous one at 50 MB', async () => {
    const file = new LogFile(folder);
    const line = 'x'.repeat(10_000_000);
    for (let count = 0; count < 5; count += 1) file.write(line);
    file.write('after');
    file.close();
    expect((await read('lensforge.log')).slice(0, 20)).toBe('after\n');
  });
});
