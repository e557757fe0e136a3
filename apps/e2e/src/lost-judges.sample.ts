import { it } from '@jest/globals';
import { expectSameResultsUnderKills } from './lost-judges.js';

it('20 battles have the results and ratings that they have without the loss of workers', async () => {
  await expectSameResultsUnderKills({ battles: 20, votersEach: 10, atOnce: 10 }, 3000);
}, 240_000);
