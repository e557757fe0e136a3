import type { EventStream } from '@lensforge/testing';
import { expect } from '@jest/globals';
import { type TestPlatform, atRate, countBy } from '../test-platform.js';

/** The sequence numbers of the events of a run, from a stream that is opened again whenever it ends too early. */
async function followToTheEnd(platform: TestPlatform, runId: string): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const lastEventId = ids.at(-1);
    const stream: EventStream = platform.follow(
      runId,
      lastEventId === undefined ? {} : { lastEventId: `${lastEventId}` },
    );
    try {
      for await (const { id, event } of stream) {
        ids.push(Number(id));
        if (event === 'done') return ids;
      }
    } catch {
      // The stream was cut; it is resumed.
    }
  }
}

/** Open streams and a steady load during a fault; every run must succeed, and every stream must be whole. */
export async function loadDuring(platform: TestPlatform, fault: () => Promise<void>): Promise<void> {
  const slow = { pieces: 40, pieceDelayMs: 200 };
  const followed = await Promise.all(Array.from({ length: 10 }, () => platform.accepted({ script: slow })));
  const streams = followed.map((runId) => followToTheEnd(platform, runId));
  const load = atRate(5, () => platform.execute());
  await fault();
  const answers = await load.stop();
  expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
  for (const ids of await Promise.all(streams)) expect(ids).toEqual(ids.map((_, index) => index + 1));
  await platform.allEnded();
  const statuses = await Promise.all(followed.map((runId) => platform.statusOf(runId)));
  expect(countBy(statuses)).toEqual({ succeeded: followed.length });
}
