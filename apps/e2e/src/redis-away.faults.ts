import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, steadily } from './test-platform.js';

let stage: TestPlatform;
beforeAll(async () => {
  stage = await TestPlatform.open({ replicas: { 'run-worker': 2 } });
}, 120_000);
afterAll(() => stage.close(), 60_000);

describe('Redis', () => {
  it('may stop for 20 seconds and come back empty under load: every request is accepted, every run ends', async () => {
    const load = steadily(15, () => stage.execute({ script: { pieces: 3, pieceDelayMs: 50 } }));
    await pause(1500);
    await stage.platform.hold('redis');
    const stream = stage.follow(await stage.accepted({ script: { pieces: 2 } }));
    const reading = collect(stream);
    await pause(20_000);
    await stage.platform.resume('redis');
    await pause(2000);
    const answers = await load.stop();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    await stage.allEnded(60_000);
    expect(await stage.findings()).toEqual(nothingFound);
    const events = await reading;
    expect(events.at(0)).toBe('run.queued');
    expect(events.at(-1)).toBe('done');
  }, 180_000);

  it('may freeze, connections open: requests are answered, and all ends when it wakes', async () => {
    const load = steadily(10, () => stage.execute());
    await pause(1000);
    stage.platform.kill('redis', 0, 'SIGSTOP');
    await pause(8000);
    stage.platform.kill('redis', 0, 'SIGCONT');
    const answers = await load.stop();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    await stage.allEnded(60_000);
    expect(await stage.findings()).toEqual(nothingFound);
  }, 120_000);
});

async function collect(stream: AsyncIterable<{ event: string | undefined }>): Promise<string[]> {
  const events: string[] = [];
  for await (const { event } of stream) events.push(String(event));
  return events;
}
