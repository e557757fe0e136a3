import { describe, expect, it } from '@jest/globals';
import { grants, isScope, scopes } from './scopes.js';

describe('scopes', () => {
  it('are fourteen, and isScope accepts no other', () => {
    expect(scopes).toHaveLength(14);
    expect(new Set(scopes).size).toBe(14);
    expect(isScope('tokens:write')).toBe(true);
    for (const unknown of ['tokens:admin', 'runs:read', '', 'lenses', '__proto__'])
      expect(isScope(unknown)).toBe(false);
  });

  it('grant themselves, and write grants the matching read and nothing else', () => {
    for (const held of scopes) {
      const granted = scopes.filter((needed) => grants([held], needed));
      expect(granted.sort()).toEqual(
        [held, held.replace(':write', ':read')].filter((one, at, all) => all.indexOf(one) === at).sort(),
      );
    }
  });

  it('are granted by any of a list, and by none of an empty one', () => {
    expect(grants(['agents:read', 'lenses:write'], 'lenses:read')).toBe(true);
    expect(scopes.filter((needed) => grants([], needed))).toEqual([]);
  });
});
