import { LRUCache } from 'lru-cache';
import type { Value } from './scope-values.js';

const maxBytes = 33_554_432;
const maxValues = 50_000;
const bytesOfEntry = 200;

/** A cache of recently used results of nodes of any run. */
export class ValueCache {
  private readonly values = new LRUCache<string, Value>({
    max: maxValues,
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size + bytesOfEntry,
  });

  get(runId: string, key: string): Value | undefined {
    return this.values.get(`${runId} ${key}`);
  }

  set(runId: string, key: string, value: Value): void {
    this.values.set(`${runId} ${key}`, value);
  }
}
