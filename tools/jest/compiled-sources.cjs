const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const options = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true, tsx: false },
    target: 'es2022',
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
  sourceMaps: true,
};
const cache = resolve(__dirname, '../../.nx/compiled-sources');
const compiler = JSON.stringify([require('@swc/core/package.json').version, options]);

const cached = (filename, source) =>
  join(cache, createHash('sha1').update(compiler).update(filename).update(source).digest('hex'));

/** Writes a file that other processes may write at the same time. */
const write = (path, text) => {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, path);
};

/** The JavaScript of a TypeScript file. */
exports.compile = (filename) => {
  const source = readFileSync(filename, 'utf8');
  const path = cached(filename, source);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const { transformSync } = require('@swc/core');
    const { code, map } = transformSync(source, { ...options, filename });
    mkdirSync(cache, { recursive: true });
    write(`${path}.map`, map);
    write(path, code);
    return code;
  }
};

/** The file with the source map of a compiled TypeScript file. */
exports.sourceMapFile = (filename) => {
  const path = `${cached(filename, readFileSync(filename, 'utf8'))}.map`;
  return existsSync(path) ? path : undefined;
};
