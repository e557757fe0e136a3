import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasKubectl } from '@lensforge/manifests';
import { nothingFound } from './audit.js';
import { openScalingPlatform, scaleThroughBurst } from './scaling.js';
import type { TestPlatform } from './test-platform.js';

/** 10 workers instead of the manifest's 20, for two cores; its windows are 20 times shorter: five minutes are 15 s. */
const burst = { runs: 5000, most: 10, timeScale: 20, delayMs: 4000 };

if (!hasKubectl()) process.stderr.write('skipped: scaling of workers, as kubectl is not installed\n');

(hasKubectl() ? describe : describe.skip)('a burst of 5,000 runs, scaled as KEDA would to 10 workers at most', () => {
  let setup: TestPlatform;
  beforeAll(async () => {
    setup = await openScalingPlatform(burst);
  });
  afterAll(() => setup.close());

  it('has 2 workers, then 10, then 2, and stops workers without an effect on their runs', async () => {
    const { replicas, greatest, stops, accepted, ...ends } = await scaleThroughBurst(setup, burst);
    process.stdout.write(`scaling: ${JSON.stringify({ replicas, greatest, stops, accepted, ...ends })}\n`);
    expect(replicas[0]).toBe(2);
    expect(Math.max(...replicas)).toBe(10);
    expect(replicas.at(-1)).toBe(2);
    expect(stops.length).toBeGreaterThanOrEqual(8);
    expect(stops.some(({ executing }) => executing > 0)).toBe(true);
    expect(ends).toEqual({ succeeded: accepted, workerLost: 0, startedAgain: 0, badlyCharged: 0 });
    expect(await setup.findings()).toEqual(nothingFound);
    await setup.invariantsHold();
  });
});
