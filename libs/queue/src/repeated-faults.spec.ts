import { describe, expect, it } from '@jest/globals';
import { RepeatedFaults } from './repeated-faults.js';

function faultsAt(clock: { ms: number }) {
  const lines: object[] = [];
  const log = { info: () => undefined, warn: (details: object) => void lines.push(details), error: () => undefined };
  return { lines, faults: new RepeatedFaults(log, () => clock.ms) };
}

describe('RepeatedFaults', () => {
  it('logs thousands of equal faults once a minute, with their number', () => {
    const clock = { ms: 0 };
    const { lines, faults } = faultsAt(clock);
    for (let n = 0; n < 5000; n += 1) faults.report('runs', `MOVED ${n} 127.0.0.1:7001`);
    expect(lines).toEqual([{ queue: 'runs', reason: 'MOVED 0 127.0.0.1:7001' }]);
    clock.ms = 60_000;
    faults.report('runs', 'MOVED 7 127.0.0.1:7001');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toEqual({ queue: 'runs', reason: 'MOVED 7 127.0.0.1:7001', suppressed: 4999 });
  });

  it('logs each kind of fault of each queue', () => {
    const { lines, faults } = faultsAt({ ms: 0 });
    faults.report('runs', 'NOPERM this user has no permissions');
    faults.report('runs', 'OOM command not allowed');
    faults.report('webhooks', 'OOM command not allowed');
    expect(lines).toHaveLength(3);
  });
});
