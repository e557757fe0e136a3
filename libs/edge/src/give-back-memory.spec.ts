import { expect, it } from '@jest/globals';
import { giveBackMemory } from './give-back-memory.js';

it('memory that is no longer used goes back to the system', async () => {
  let garbage: object[] | undefined = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
  const full = process.memoryUsage().heapTotal;
  expect(garbage.length).toBe(1_000_000);
  garbage = undefined;
  await giveBackMemory();
  expect(process.memoryUsage().heapTotal).toBeLessThan(full - 20_000_000);
});
