import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The path of a file below `root` after its symbolic links, which lead to places below `root`; undefined without a file. */
const resolveBelow = (root, path) => {
  let resolved = '/';
  for (const part of path.split('/').filter((name) => name !== '')) {
    const next = join(resolved, part);
    const entry = lstatSync(join(root, next), { throwIfNoEntry: false });
    if (!entry) return undefined;
    resolved = entry.isSymbolicLink() ? resolveBelow(root, resolve(resolved, readlinkSync(join(root, next)))) : next;
    if (resolved === undefined) return undefined;
  }
  return resolved;
};

/** Debian's names of processors, by those of Node.js. */
const triplets = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

const [load, dynamic, interpreter] = [1, 2, 3];
const [needed, stringTable] = [1n, 5n];

/** The names that an ELF file of 64 bits is linked with, and the path of its interpreter. */
export const readLinks = (file) => {
  const data = readFileSync(file);
  if (data.readUInt32BE(0) !== 0x7f454c46 || data[4] !== 2) throw new Error(`${file} is not an ELF file of 64 bits`);
  const [start, size, count] = [Number(data.readBigUInt64LE(32)), data.readUInt16LE(54), data.readUInt16LE(56)];
  const segments = Array.from({ length: count }, (_, at) => start + at * size).map((at) => ({
    type: data.readUInt32LE(at),
    offset: Number(data.readBigUInt64LE(at + 8)),
    address: Number(data.readBigUInt64LE(at + 16)),
    size: Number(data.readBigUInt64LE(at + 32)),
  }));
  const text = (at) => data.toString('utf8', at, data.indexOf(0, at));
  const segment = segments.find(({ type }) => type === dynamic);
  const entries = [];
  for (let at = segment?.offset ?? 0; segment && at < segment.offset + segment.size; at += 16)
    entries.push([data.readBigInt64LE(at), Number(data.readBigUInt64LE(at + 8))]);
  const table = entries.find(([tag]) => tag === stringTable)?.[1] ?? 0;
  const holder = segments.find(
    ({ type, address, size }) => type === load && table >= address && table < address + size,
  );
  const names = holder ? table - holder.address + holder.offset : 0;
  const named = segments.find(({ type }) => type === interpreter);
  return {
    names: entries.filter(([tag]) => tag === needed).map(([, at]) => text(names + at)),
    interpreter: named && text(named.offset),
  };
};

/** All shared libraries that files below `root` are linked with, as paths below it. Runs nothing, so the files may be for another platform. */
export const findLibraries = (root, files, arch) => {
  const triplet = triplets[arch];
  const folders = [`lib/${triplet}`, `usr/lib/${triplet}`, 'lib64', 'lib', 'usr/lib'];
  const found = new Map();
  const open = files.map((file) => [file, readLinks(file)]);
  for (const [file, { names, interpreter: program }] of open) {
    const wanted = names.map((name) => [name, folders.map((folder) => `/${folder}/${name}`)]);
    if (program) wanted.push([program, [program]]);
    for (const [name, places] of wanted) {
      const place = places.find((path) => resolveBelow(root, path) !== undefined);
      if (place === undefined) throw new Error(`${file} needs ${name}, which is not below ${root}`);
      if (found.has(place)) continue;
      const source = join(root, resolveBelow(root, place));
      found.set(place, source);
      open.push([source, readLinks(source)]);
    }
  }
  return [...found].map(([path, source]) => ({ path, source }));
};
