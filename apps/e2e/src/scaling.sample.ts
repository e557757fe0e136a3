import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasKubectl } from '@lensforge/manifests';
import { nothingFound } from './audit.js';
import { openScalingPlatform, scaleThroughBurst } from './scaling.js';
import type { TestPlatform } from './test-platform.js';

/** The windows of the manifest are 40 times shorter: five minutes are 7.5 s. */
const burst = { runs: 450, most: 4, timeScale: 40, delayMs: 2500 };

if (!hasKubectl()) process.stderr.write('skipped: scaling of workers, as kubectl is not installed\n');

(hasKubectl() ? describe : describe.skip)('a burst of 450 runs, scaled as KEDA would', () => {
  let setup: TestPlatform;
  beforeAll(async () => {
    setup = await openScalingPlatform(burst);
  });
  afterAll(() => setup.close());

  it('has 2 workers, then 4, then 2, and stops workers without an effect on their runs', async () => {
    const { replicas, greatest, stops, accepted, ...ends } = await scaleThroughBurst(setup, burst);
    expect(replicas[0]).toBe(2);
    expect(Math.max(...replicas)).toBe(4);
    expect(replicas.at(-1)).toBe(2);
    expect(stops.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...stops.map(({ executing }) => executing))).toBeGreaterThan(0);
    expect(greatest['active']).toBeGreaterThan(0);
    expect(greatest['backlog']).toBeGreaterThan(120);
    expect(accepted).toBeGreaterThan(burst.runs);
    expect(ends).toEqual({ succeeded: accepted, workerLost: 0, startedAgain: 0, badlyCharged: 0 });
    expect(await setup.findings()).toEqual(nothingFound);
  });
});
