import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { escapeCharacters } from '../escape-characters.mjs';

describe('the programs in a folder', () => {
  let folder;
  const file = () => join(folder, 'program.js');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge-program-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are ASCII, and compute the same', async () => {
    await writeFile(
      file(),
      'const µ = /^[é-ü😀]+$/u; // Ω\nexport default [`‘${1}’`, "…😀", µ.test("ö😀"), µ.test("o")];',
    );
    await escapeCharacters(folder);
    expect(await readFile(file(), 'utf8')).toMatch(/^[\u0000-\u007f]+$/);
    expect((await import(pathToFileURL(file()).href)).default).toEqual(['‘1’', '…😀', true, false]);
  });

  it('are refused when an escape would change a text of theirs', async () => {
    await writeFile(file(), 'export default String.raw`a…`;');
    await expect(escapeCharacters(folder)).rejects.toThrow('has a String.raw template');
  });
});
