import { describe, expect, it } from '@jest/globals';
import { requestSampler } from './request-sampler.js';

const fine = { status: 200, durationMs: 5, aborted: false };
const countOf = (percent: number, request = fine): number => {
  const isLogged = requestSampler(percent);
  return Array.from({ length: 1000 }, () => isLogged(request)).filter(Boolean).length;
};

describe('requestSampler', () => {
  it.each([
    [100, 1000],
    [25, 250],
    [3, 30],
    [0, 0],
  ])('lets %d % of the successful requests through', (percent, expected) => {
    expect(countOf(percent)).toBe(expected);
  });

  it.each([
    ['refused', { ...fine, status: 404 }],
    ['failed', { ...fine, status: 500 }],
    ['aborted', { ...fine, aborted: true }],
    ['slow', { ...fine, durationMs: 1000 }],
  ])('lets every %s request through', (_, request) => {
    expect(countOf(0, request)).toBe(1000);
  });
});
