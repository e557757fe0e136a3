import { it } from '@jest/globals';
import { expectSameResultsUnderKills } from './lost-judges.js';

it('12 battles have the results and ratings that they have without the loss of workers', async () => {
  await expectSameResultsUnderKills({ battles: 12, votersEach: 8, atOnce: 6 }, 3000, 8);
}, 240_000);
