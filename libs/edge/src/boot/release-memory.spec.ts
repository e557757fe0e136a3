import { expect, it } from '@jest/globals';
import { releaseMemory } from './release-memory.js';

it('releaseMemory returns unused heap to the operating system', async () => {
  const retained = { garbage: Array.from({ length: 1_000_000 }, (_, n) => ({ n })) };
  const full = process.memoryUsage().heapTotal;
  expect(retained.garbage.length).toBe(1_000_000);
  retained.garbage = [];
  await releaseMemory();
  expect(process.memoryUsage().heapTotal).toBeLessThan(full - 20_000_000);
});
