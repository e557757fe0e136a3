import { expect, it } from '@jest/globals';
import { localTime, toIsoTime } from './time-field.js';

it('reads a local time as the instant that it was written for', () => {
  const at = Date.UTC(2026, 6, 1, 12, 30);
  expect(localTime(at)).toMatch(/^2026-0[67]-\d\dT\d\d:\d\d$/);
  expect(Date.parse(toIsoTime(localTime(at)))).toBe(at);
});
