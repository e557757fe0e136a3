import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const others = /[\u0080-\uffff]/g;
/** The text of such a template is read as it is written, where an escape would not be the character. */
const rawTemplate = /String\.raw`[^`]*[\u0080-\uffff]/;

/**
 * Writes all characters of the programs in a folder in ASCII. A script with one other character takes two bytes of memory
 * for each of its characters as long as the process runs.
 */
export async function escapeCharacters(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  await Promise.all(names.map((name) => escapeFile(join(folder, name))));
}

async function escapeFile(file) {
  const code = await readFile(file, 'utf8');
  if (rawTemplate.test(code)) throw new Error(`${file} has a String.raw template with a character outside of ASCII.`);
  const escaped = code.replaceAll(others, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (escaped !== code) await writeFile(file, escaped);
}
