import { describe, expect, it } from '@jest/globals';
import { grants, isScope, scopes } from './scopes.js';

describe('scopes', () => {
  it('are the fourteen of the specification', () => {
    expect(scopes).toHaveLength(14);
    expect(new Set(scopes).size).toBe(14);
    expect(isScope('tokens:write')).toBe(true);
    for (const stranger of ['tokens:admin', 'runs:read', '', 'lenses', '__proto__'])
      expect(isScope(stranger)).toBe(false);
  });

  it('grant themselves; write grants the matching read, and nothing else does', () => {
    for (const held of scopes) {
      const granted = scopes.filter((needed) => grants([held], needed));
      expect(granted.sort()).toEqual(
        [held, held.replace(':write', ':read')].filter((one, at, all) => all.indexOf(one) === at).sort(),
      );
    }
  });

  it('add up, and none grants none', () => {
    expect(grants(['agents:read', 'lenses:write'], 'lenses:read')).toBe(true);
    expect(scopes.filter((needed) => grants([], needed))).toEqual([]);
  });
});
