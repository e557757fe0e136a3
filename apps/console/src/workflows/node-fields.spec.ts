import { describe, expect, it } from '@jest/globals';
import { nodeTypes } from './graph.js';
import { nodeFields, settingsOf, textOfField, withField } from './node-fields.js';

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

  it('show no expressions, which are changed as JSON', () => {
    expect(textOfField({ seconds: { $: 'inputs.pause' } }, seconds)).toBeUndefined();
    expect([textOfField({ seconds: 5 }, seconds), textOfField({}, seconds)]).toEqual(['5', '']);
    expect(settingsOf(['x'])).toEqual({});
  });
});
