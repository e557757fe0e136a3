import { describe, expect, it } from '@jest/globals';
import { nodeTypes } from './graph.js';
import {
  expressionOfField,
  nodeFields,
  toSettings,
  textOfField,
  withExpression,
  withField,
  withRetry,
} from './node-fields.js';

const [seconds] = nodeFields['delay'] ?? [];
const [, , anyStatus] = nodeFields['http'] ?? [];
if (!seconds || !anyStatus) throw new Error('the fields of the test are missing');

describe('fields of nodes', () => {
  it('exist for every type', () => {
    expect(nodeTypes.filter((type) => !nodeFields[type])).toEqual([]);
  });

  it('change one member and keep all others', () => {
    expect(withField({ until: 'x' }, seconds, '5')).toEqual({ until: 'x', seconds: 5 });
    expect(withField({ seconds: 5, until: 'x' }, seconds, '')).toEqual({ until: 'x' });
    expect(withField({}, anyStatus, true)).toEqual({ anyStatus: true });
    expect(withField({ anyStatus: true }, anyStatus, false)).toEqual({});
  });

  it('show expressions of members in a field of their own', () => {
    const settings = withExpression({ until: 'x' }, seconds, 'inputs.pause');
    expect(settings).toEqual({ until: 'x', seconds: { $: 'inputs.pause' } });
    expect(expressionOfField(settings, seconds)).toBe('inputs.pause');
    for (const other of [{}, { seconds: 5 }, { seconds: { $: 'x', more: 1 } }, { seconds: { $: 1 } }])
      expect(expressionOfField(other, seconds)).toBeUndefined();
  });

  it('change one member of the retries, and remove them when they are empty', () => {
    expect(withRetry(undefined, 'attempts', '3')).toEqual({ attempts: 3 });
    expect(withRetry({ attempts: 3, factor: 2 }, 'attempts', '')).toEqual({ factor: 2 });
    expect(withRetry({ attempts: 3 }, 'attempts', '')).toBeUndefined();
  });

  it('show no expressions, which are changed as JSON', () => {
    expect(textOfField({ seconds: { $: 'inputs.pause' } }, seconds)).toBeUndefined();
    expect([textOfField({ seconds: 5 }, seconds), textOfField({}, seconds)]).toEqual(['5', '']);
    expect(toSettings(['x'])).toEqual({});
  });
});
