import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const bytesPerId = 16;
/** One call for random bytes costs many times as much as an id, whatever its size, so ids share a pool of bytes. */
const pool = Buffer.alloc(256 * bytesPerId);
let used = pool.length;
let msecs = 0;
let seq = 0;
/** Ids keep their order when the clock is set back by less than this; after a larger step they follow the clock. */
const maxStepBackMs = 10_000;

/** A UUIDv7. Ids sort by creation time, also within one millisecond. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += bytesPerId));
  const now = Date.now();
  if (now > msecs || now < msecs - maxStepBackMs) {
    msecs = now;
    seq = random.readUInt32BE(6) >>> 1;
  } else {
    seq += 1;
  }
  return v7({ random, msecs, seq });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: string): boolean => uuid.test(value);
