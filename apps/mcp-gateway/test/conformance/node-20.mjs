import { register } from 'node:module';

// The suite imports fs.globSync for a command that is not used here; Node.js 20 does not have it yet.
const hooks = `
const stand = 'fs-with-glob:';
export async function resolve(specifier, context, next) {
  const isSuite = specifier === 'fs' && context.parentURL?.includes('/conformance/dist/');
  return isSuite ? { url: stand, shortCircuit: true, format: 'module' } : next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== stand) return next(url, context);
  const source = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
  return { format: 'module', shortCircuit: true, source };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
