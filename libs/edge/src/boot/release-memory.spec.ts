import { expect, it } from '@jest/globals';
import { releaseMemory } from './release-memory.js';

it('memory that is no longer used goes back to the system', async () => {
  const held = { garbage: Array.from({ length: 1_000_000 }, (_, n) => ({ n })) };
  const full = process.memoryUsage().heapTotal;
  expect(held.garbage.length).toBe(1_000_000);
  held.garbage = [];
  await releaseMemory();
  expect(process.memoryUsage().heapTotal).toBeLessThan(full - 20_000_000);
});
