import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, atRate } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'run-worker': 2 } });
});
afterAll(() => setup.close());

describe('Redis', () => {
  it('can stop for 20 seconds and restart empty under load while every request is accepted and every run ends', async () => {
    const load = atRate(15, () => setup.execute({ script: { pieces: 3, pieceDelayMs: 50 } }));
    await pause(1500);
    await setup.platform.hold('redis');
    const stream = setup.follow(await setup.accepted({ script: { pieces: 2 } }));
    const reading = collect(stream);
    await pause(20_000);
    await setup.platform.resume('redis');
    await pause(2000);
    const answers = await load.stop();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
    const events = await reading;
    expect(events.at(0)).toBe('run.queued');
    expect(events.at(-1)).toBe('done');
  });

  it('can freeze with open connections while requests get responses, and all runs end after it resumes', async () => {
    const load = atRate(10, () => setup.execute());
    await pause(1000);
    setup.platform.kill('redis', 0, 'SIGSTOP');
    await pause(8000);
    setup.platform.kill('redis', 0, 'SIGCONT');
    const answers = await load.stop();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });
});

async function collect(stream: AsyncIterable<{ event: string | undefined }>): Promise<string[]> {
  const events: string[] = [];
  for await (const { event } of stream) events.push(String(event));
  return events;
}
