import { register } from 'node:module';

// The suite imports fs.globSync, which Node.js 20 does not have, for a command that is not used here.
const hooks = `
const substitute = 'fs-with-glob:';
export async function resolve(specifier, context, next) {
  const isSuite = specifier === 'fs' && context.parentURL?.includes('/conformance/dist/');
  return isSuite ? { url: substitute, shortCircuit: true, format: 'module' } : next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== substitute) return next(url, context);
  const source = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
  return { format: 'module', shortCircuit: true, source };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
