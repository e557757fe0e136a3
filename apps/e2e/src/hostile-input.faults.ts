import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendHostileInput } from './hostile-input.js';
import { TestPlatform } from './test-platform.js';

const cases = Number(process.env['LENSFORGE_FAULTS_HOSTILE_CASES'] ?? 2000);
const first = Number(process.env['LENSFORGE_FAULTS_HOSTILE_FIRST'] ?? 0);

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open();
});
afterAll(() => setup.close());

it(`${cases} hostile inputs, with rate limits lifted, hold no event loop for more than 150 ms`, async () => {
  const report = await sendHostileInput(setup, first, cases);
  process.stdout.write(`hostile input: ${JSON.stringify({ ...report, wrong: report.wrong.length })}\n`);
  expect(report.wrong).toEqual([]);
  expect(report.exited).toEqual([]);
  expect(Object.entries(report.maxMemoryMb).filter(([, mb]) => mb > 512)).toEqual([]);
  // The delay of an idle process is caused by the machine.
  const allowed = 150 + report.idleDelayMs;
  expect(Object.entries(report.maxDelayMs).filter(([, ms]) => ms > allowed)).toEqual([]);
}, 7_200_000);
