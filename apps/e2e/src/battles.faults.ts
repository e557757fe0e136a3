import { it } from '@jest/globals';
import { expectSameResultsUnderKills } from './lost-judges.js';

it('200 battles have the results and ratings that they have without the loss of workers', async () => {
  await expectSameResultsUnderKills({ battles: 200, votersEach: 50, atOnce: 16 }, 3000);
});
