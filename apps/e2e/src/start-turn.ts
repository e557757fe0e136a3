import { reserve } from '@lensforge/embedded';
import { until } from '@lensforge/testing';

/** Below the ports of platforms. */
const turnPort = 1098;

/** Waits until no other test starts a platform: several starts at once need all processors, and each takes longer than all in a row. */
export async function startInTurn<T>(start: () => Promise<T>): Promise<T> {
  const turn = await until(() => reserve(turnPort), {
    within: 900_000,
    every: 100,
    what: 'a turn to start a platform',
  });
  try {
    return await start();
  } finally {
    await turn.release();
  }
}
