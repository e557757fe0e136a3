import { badInput } from '@lensforge/core';
import { type Assertion, baseType } from './assertion.js';
import { knownTypes } from './check-output.js';
import { isJudgedType } from './judged-assertions.js';

const members = ['type', 'value', 'threshold', 'weight', 'transform', 'assert', 'metric'];

/** Reads assertions of a request; a fault names its place. */
export function readAssertions(given: readonly Record<string, unknown>[], path: string): Assertion[] {
  return given.map((each, index) => readAssertion(each, `${path}.${index}`));
}

function readAssertion(given: Record<string, unknown>, path: string, depth = 0): Assertion {
  const { type, value, threshold, weight, transform, assert } = given;
  const unknown = Object.keys(given).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw badInput(`${path}.${unknown}`, `is not known; an assertion has ${members.join(', ')}`);
  if (typeof type !== 'string') throw badInput(`${path}.type`, 'is required');
  if (!knownTypes.includes(baseType(type))) {
    throw badInput(`${path}.type`, `must be one of ${knownTypes.join(', ')}, each also with not- before it`);
  }
  if (threshold !== undefined && typeof threshold !== 'number') throw badInput(`${path}.threshold`, 'must be a number');
  if (weight !== undefined && !(typeof weight === 'number' && weight >= 0)) {
    throw badInput(`${path}.weight`, 'must be a number of 0 or more');
  }
  if (transform !== undefined && isJudgedType(type)) throw badInput(`${path}.transform`, `is not used with ${type}`);
  if (transform !== undefined && typeof transform !== 'string') throw badInput(`${path}.transform`, 'must be a text');
  return {
    type,
    ...(value !== undefined && { value }),
    threshold,
    weight,
    transform,
    ...(baseType(type) === 'assert-set' && { assert: readSet(assert, `${path}.assert`, depth + 1) }),
  };
}

const maxDepth = 3;

function readSet(given: unknown, path: string, depth: number): Assertion[] {
  if (!Array.isArray(given) || given.length === 0) throw badInput(path, 'must be a list of assertions');
  return (given as unknown[]).map((each, index) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each))
      throw badInput(`${path}.${index}`, 'must be an object');
    const assertion = each as Record<string, unknown>;
    if (depth > maxDepth) throw badInput(`${path}.${index}`, `sets may be in sets ${maxDepth} deep`);
    return readAssertion(assertion, `${path}.${index}`, depth);
  });
}
