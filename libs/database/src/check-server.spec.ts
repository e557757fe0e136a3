import { describe, expect, it } from '@jest/globals';
import { checkServer } from './index.js';

const serverOf = (number: string, version: string) => checkServer(<R>() => Promise.resolve([{ number, version } as R]));

describe('checkServer', () => {
  it.each([
    ['150000', '15.0'],
    ['170006', '17.6 (Debian 17.6-0+deb13u1)'],
    ['180004', '18.4'],
  ])('accepts version %s', async (number, version) => {
    await expect(serverOf(number, version)).resolves.toEqual([]);
  });

  it('refuses a version that is too old', async () => {
    await expect(serverOf('140012', '14.12')).rejects.toThrow(
      'PostgreSQL 14.12 is too old: version 15 or newer is needed',
    );
  });

  it('warns about a version that is newer than all tested ones', async () => {
    await expect(serverOf('190001', '19.1')).resolves.toEqual([
      'PostgreSQL 19.1 is newer than the versions that this release was tested with (15 to 18)',
    ]);
  });
});
