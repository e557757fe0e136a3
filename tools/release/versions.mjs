import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Constants and documents that hold the version of the platform, each with the text around it. */
const places = {
  'apps/cli/src/version.ts': "export const version = '*';",
  'libs/sdk/src/transport.ts': "const version = '*';",
  'sdk/python/src/lensforge/_requests.py': 'VERSION = "*"',
  'sdk/python/pyproject.toml': 'version = "*"',
  'charts/lensforge/Chart.yaml': 'ersion: *',
  'docs/server.json': '"version": "*"',
};

/** A manifest, or the entry of a package of this repository in the lock file. */
const withVersionOf = (manifest, from, to) => {
  const changed = { ...manifest, ...(manifest.version === from && { version: to }) };
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
    if (!manifest[kind]) continue;
    const entries = Object.entries(manifest[kind]);
    changed[kind] = Object.fromEntries(
      entries.map(([name, range]) => [name, name.startsWith('@lensforge/') && range === from ? to : range]),
    );
  }
  return changed;
};

/** The text of a file of this repository with another version. */
export const withVersion = (path, text, from, to) => {
  if (path === 'package-lock.json') {
    const lock = JSON.parse(text);
    const packages = Object.entries(lock.packages).map(([place, entry]) => [
      place,
      place.includes('node_modules/') ? entry : withVersionOf(entry, from, to),
    ]);
    return `${JSON.stringify({ ...withVersionOf(lock, from, to), packages: Object.fromEntries(packages) }, null, 2)}\n`;
  }
  if (path.endsWith('package.json')) return `${JSON.stringify(withVersionOf(JSON.parse(text), from, to), null, 2)}\n`;
  const [before, after] = places[path].split('*');
  const place = `${before}${from}${after}`;
  if (!text.includes(place)) throw new Error(`${path} does not say ${place}`);
  return text.replaceAll(place, `${before}${to}${after}`);
};

/** The files that hold the version. */
export const listVersionedFiles = (root) => {
  const tracked = execFileSync('git', ['ls-files', '*package.json'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  return [...tracked, 'package-lock.json', ...Object.keys(places)];
};

export const setVersion = (root, from, to) => {
  for (const path of listVersionedFiles(root)) {
    const file = join(root, path);
    writeFileSync(file, withVersion(path, readFileSync(file, 'utf8'), from, to));
  }
};

const parse = (version) => {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (parts.length === 0) throw new Error(`${version} is not a version such as 0.2.0`);
  return parts.map(Number);
};

/** True when the first version is later than the second one. */
export const isLater = (one, other) => {
  const [a, b] = [parse(one), parse(other)];
  const place = a.findIndex((part, at) => part !== b[at]);
  return place >= 0 && a[place] > b[place];
};
