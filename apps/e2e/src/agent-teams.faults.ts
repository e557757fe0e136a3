import { it } from '@jest/globals';
import { expectTeamsUnderKills } from './agent-teams.js';

it('100 teams of three agents do each piece of their work once while workers are killed', async () => {
  await expectTeamsUnderKills(100);
});
