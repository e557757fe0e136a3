import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendHostileInput } from './hostile-input.js';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open();
});
afterAll(() => setup.close());

it('hostile input of anonymous and signed-in callers neither ends a service nor exhausts its memory', async () => {
  const report = await sendHostileInput(setup, 0, 20);
  process.stdout.write(`hostile input: ${JSON.stringify({ ...report, wrong: report.wrong.length })}\n`);
  expect(report.wrong).toEqual([]);
  expect(report.exited).toEqual([]);
  expect(Object.entries(report.maxMemoryMb).filter(([, mb]) => mb > 512)).toEqual([]);
});
