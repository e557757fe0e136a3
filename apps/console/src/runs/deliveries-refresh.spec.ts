import { describe, expect, it } from '@jest/globals';
import { deliveriesRefresh } from './deliveries-refresh';

const completedAt = '2026-01-01T00:00:00.000Z';
const after = (seconds: number): number => Date.parse(completedAt) + seconds * 1000;

describe('the deliveries of a run are read again', () => {
  it('for some minutes after its end, until there are any', () => {
    expect(deliveriesRefresh([], completedAt, after(1))).toBe(2000);
    expect(deliveriesRefresh(undefined, completedAt, after(299))).toBe(2000);
    expect(deliveriesRefresh([], completedAt, after(300))).toBe(false);
  });

  it('while one of them has not ended, at any time', () => {
    const ended = { endedAt: completedAt };
    expect(deliveriesRefresh([ended, { endedAt: null }], completedAt, after(86_400))).toBe(2000);
    expect(deliveriesRefresh([ended, ended], completedAt, after(1))).toBe(false);
  });
});
