import { expect, it } from '@jest/globals';
import { grantableScope, toolScopes } from '@lensforge/contracts';
import { platformTools } from '../../apps/console/src/agents/tool-list.ts';

it('the console offers the tools that can be granted to AI lensers, and no others', () => {
  const grantable = [...Object.keys(toolScopes), 'cast_vote'].filter((name) => grantableScope(name) !== undefined);
  expect(Object.values(platformTools).flat().sort()).toEqual(grantable.sort());
});
