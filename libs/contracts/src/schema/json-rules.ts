import type { Issue } from './rules.js';

/** The levels of lists and objects in each other that JSON may have. */
export const maxJsonDepth = 32;
const defaultMaxKeys = 1000;

/** The first fault that PostgreSQL or JSON.stringify could not process, with its path. */
export function faultInJson(value: unknown, maxKeys = defaultMaxKeys): Issue | undefined {
  let keys = 0;
  const visit = (node: unknown, path: string, depth: number): Issue | undefined => {
    if (typeof node === 'string') return textFault(node, path);
    if (typeof node === 'number') {
      return Number.isFinite(node) ? undefined : { path, message: 'is not a finite number' };
    }
    if (typeof node !== 'object' || node === null) return undefined;
    if (depth > maxJsonDepth) return { path, message: `is nested deeper than ${maxJsonDepth} levels` };
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index += 1) {
        const fault = visit(node[index], `${path}.${index}`, depth + 1);
        if (fault) return fault;
      }
      return undefined;
    }
    for (const key of Object.keys(node)) {
      keys += 1;
      if (keys > maxKeys) return { path: '', message: `has more than ${maxKeys} members in all` };
      const at = path ? `${path}.${key}` : key;
      const fault =
        textFault(key, path) ??
        nameFault(node, key, at) ??
        visit((node as Record<string, unknown>)[key], at, depth + 1);
      if (fault) return fault;
    }
    return undefined;
  };
  return visit(value, '', 1);
}

/** True for JSON with more than `levels` levels; the call stack limits what `JSON.stringify` can write. */
export function isTooDeep(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((each) => isTooDeep(each, levels - 1));
  for (const name in value) if (isTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}

/** The fault of a name that would change the prototype of an object into which it is copied. */
function nameFault(node: object, key: string, path: string): Issue | undefined {
  if (key === '__proto__') return { path, message: 'is a name that no member may have' };
  const value: unknown = key === 'constructor' ? Reflect.get(node, key) : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'prototype')) return undefined;
  return { path: `${path}.prototype`, message: 'is a name that no member of constructor may have' };
}

function textFault(value: string, path: string): Issue | undefined {
  if (value.includes('\u0000')) return { path, message: 'contains the character U+0000' };
  if (!value.isWellFormed()) return { path, message: 'contains half of a surrogate pair' };
  return undefined;
}
