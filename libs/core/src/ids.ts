import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const bytesOfOne = 16;
/** Asking for random bytes takes many times as long as making an id of them, however many are asked for. */
const pool = Buffer.alloc(256 * bytesOfOne);
let used = pool.length;
let msecs = 0;
let seq = 0;

/** A UUIDv7: ids sort by the time they were made, and those of one millisecond in their order. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += bytesOfOne));
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    seq = random.readUInt32BE(6) >>> 1;
  } else {
    seq += 1;
  }
  return v7({ random, msecs, seq });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: string): boolean => uuid.test(value);
