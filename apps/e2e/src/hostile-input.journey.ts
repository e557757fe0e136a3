import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendHostileInput } from './hostile-input.js';
import { TestPlatform } from './test-platform.js';

let stage: TestPlatform;
beforeAll(async () => {
  stage = await TestPlatform.open();
}, 120_000);
afterAll(() => stage.close(), 60_000);

it('no input of an anonymous caller or of one who has signed in ends a service or fills its memory', async () => {
  const report = await sendHostileInput(stage, 0, 100);
  process.stdout.write(`hostile input: ${JSON.stringify({ ...report, wrong: report.wrong.length })}\n`);
  expect(report.wrong).toEqual([]);
  expect(report.exited).toEqual([]);
  expect(Object.entries(report.mostMemoryMb).filter(([, mb]) => mb > 512)).toEqual([]);
}, 600_000);
