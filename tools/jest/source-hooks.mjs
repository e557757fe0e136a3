import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compiled-sources.cjs';

// Hooks of Node's module loader: packages of this repository are loaded from source, and `@jest/globals` are those of the running test file.
const globals = new URL('./globals.mjs', import.meta.url).href;

/** Sources import './x.js', the built name; the console's sources './x', as bundlers allow. */
const toSourcePath = (specifier) => {
  const [path, query] = specifier.split('?');
  const source = `${path.replace(/\.js$/, '')}.ts`;
  return query === undefined ? source : `${source}?${query}`;
};

export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true };
  if (specifier.startsWith('.') && context.parentURL?.includes('.ts')) {
    const source = new URL(toSourcePath(specifier), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return nextResolve(specifier, { ...context, conditions: ['@lensforge/source', ...context.conditions] });
}

export async function load(url, context, nextLoad) {
  const [file] = url.split('?');
  if (!file.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: compile(fileURLToPath(file)), shortCircuit: true };
}
