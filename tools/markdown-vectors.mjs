import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// node tools/markdown-vectors.mjs -- <command>: checks that a renderer of messages passes docs/markdown-vectors.json. The command
// gets Markdown as its standard input and writes HTML. Exit code 1 when a rendering is unsafe.

const file = new URL('../docs/markdown-vectors.json', import.meta.url);
export const { rules, vectors } = JSON.parse(readFileSync(file, 'utf8'));

const entities = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  colon: ':',
  Tab: '\t',
  NewLine: '\n',
  nbsp: '\u00a0',
};
const decoded = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));?/gi, (all, hex, decimal, name) =>
    name === undefined ? String.fromCodePoint(parseInt(hex ?? decimal, hex ? 16 : 10)) : (entities[name] ?? all),
  );

const name = '[a-z][a-z0-9-]*';
const attribute = new RegExp(`\\s+(${name})(?:\\s*=\\s*("[^"]*"|'[^']*'))?`, 'giy');
const tagStart = new RegExp(`<(/?)(${name})`, 'giy');

/** The faults of the rendering of a vector; empty for a safe one. It refuses HTML that parsers could read in two ways. */
export function faultsIn(html, { links = [] }) {
  const faults = [];
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    tagStart.lastIndex = at;
    const tag = tagStart.exec(html);
    if (!tag) return [...faults, `a "<" that begins no element: ${html.slice(at, at + 40)}`];
    const [, , element] = tag;
    const allowed = rules.elements[element];
    if (!allowed) faults.push(`the element ${element}`);
    attribute.lastIndex = tagStart.lastIndex;
    let end = tagStart.lastIndex;
    for (let found = attribute.exec(html); found; found = attribute.exec(html)) {
      const [, key, quoted = '""'] = found;
      if (!allowed?.includes(key)) faults.push(`the attribute ${key} of ${element}`);
      else if (key === 'href' || key === 'src') faults.push(...faultsOfAddress(decoded(quoted.slice(1, -1)), links));
      end = attribute.lastIndex;
    }
    const [close] = /^\s*\/?>/.exec(html.slice(end, end + 20)) ?? [];
    if (!close) return [...faults, `an element that is not closed: ${html.slice(at, at + 60)}`];
    at = end + close.length;
  }
  return faults;
}

function faultsOfAddress(address, links) {
  if (address === '') return [];
  // Browsers remove these before they read the scheme.
  const [, scheme] = /^([^/?#]*?):/.exec(address.replace(/[\u0000-\u0020]/g, '')) ?? [];
  const faults = scheme && !rules.schemes.includes(scheme.toLowerCase()) ? [`the scheme ${scheme}`] : [];
  return links.includes(address) ? faults : [...faults, `the address ${address}`];
}

function main([separator, command, ...options]) {
  if (separator !== '--' || command === undefined) {
    console.error('node tools/markdown-vectors.mjs -- <command>   the command gets Markdown and writes HTML');
    return 2;
  }
  let unsafe = 0;
  for (const vector of vectors) {
    const { status, stdout, stderr, error } = spawnSync(command, options, { input: vector.markdown, encoding: 'utf8' });
    const faults = status === 0 ? faultsIn(stdout, vector) : [error?.message ?? `exit code ${status}: ${stderr}`];
    if (faults.length > 0) unsafe += 1;
    for (const fault of faults) console.error(`${vector.name}: ${fault}`);
  }
  console.log(`${vectors.length - unsafe} of ${vectors.length} vectors are rendered safely`);
  return unsafe > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(process.argv.slice(2));
