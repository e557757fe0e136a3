import { it } from '@jest/globals';
import { expectSameResultsUnderKills } from './lost-judges.js';

it('16 battles have the results and ratings that they have without the loss of workers', async () => {
  await expectSameResultsUnderKills({ battles: 16, votersEach: 8, atOnce: 5 }, 3000, 8);
});
