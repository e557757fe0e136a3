import { describe, expect, it } from '@jest/globals';
import { type Row, judge } from './row.js';
import { busyLines, number, table } from './table.js';

const findings = (...all: number[]) => all.map((value) => ({ value }));
const accepted: Row = {
  group: 'Accepting',
  name: '8 connections',
  unit: '/s',
  target: { of: 'ratio', least: 0.5 },
  ours: findings(2000, 2100, 1900),
  baseline: findings(4000, 4000, 4000),
};
const idle: Row = {
  group: 'Memory',
  name: 'api-gateway idle',
  unit: 'MB',
  target: { of: 'ours', most: 140 },
  ours: findings(150.25),
};

describe('numbers', () => {
  it('have about three significant digits', () => {
    expect([12345.6, 1000, 123.4, 12.34, 1.234, 0].map(number)).toEqual([
      '12,346',
      '1,000',
      '123',
      '12.3',
      '1.23',
      '0.00',
    ]);
    expect(number(Number.NaN)).toBe('–');
  });
});

describe('the table', () => {
  const lines = table([accepted, idle].map(judge)).split('\n');

  it('has medians, ranges, ratio, target and verdict in one line', () => {
    const line = lines.find((each) => each.startsWith('8 connections'))?.replace(/\s+/g, ' ');
    expect(line).toBe('8 connections, /s 2,000 (1,900 – 2,100) 4,000 0.50 × ≥ 0.5 × reached');
  });

  it('marks a missed target', () => {
    expect(lines.find((each) => each.startsWith('api-gateway idle'))).toMatch(/150 +≤ 140 +NOT reached$/);
  });

  it('puts a heading before each group', () => {
    expect(lines).toContain('Accepting');
    expect(lines).toContain('Memory');
  });

  it('aligns its columns', () => {
    const [a, b] = lines.filter((line) => line.includes(', /s') || line.includes(', MB'));
    expect(a?.indexOf('2,000')).toBe((b?.indexOf('150') ?? 0) - 2);
  });
});

describe('the load of processes', () => {
  const busy = { value: 1000, cores: { redis: 0.2, gateway: 0.9, worker: 0.001 } };

  it('lists the busiest first without idle ones, with the cost of one item', () => {
    expect(busyLines([judge({ ...accepted, ours: [busy], baseline: [busy] }), judge(idle)])).toEqual([
      '  8 connections',
      '    ours: gateway 0.90 (0.90 ms each), redis 0.20 (0.20 ms each)',
      '    baseline: gateway 0.90 (0.90 ms each), redis 0.20 (0.20 ms each)',
    ]);
  });

  it('has no cost of one item for other units', () => {
    const { baseline: _, ...alone } = accepted;
    expect(busyLines([judge({ ...alone, unit: 'ms', ours: [busy] })])).toEqual([
      '  8 connections',
      '    ours: gateway 0.90, redis 0.20',
    ]);
  });
});
