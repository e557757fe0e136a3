import { type Finding, fault, ok, warning } from './finding.js';

const tolerated = { warningMs: 1000, faultMs: 5000 };

/** Compares clocks with the one of this machine; each entry is the time of a server while `now` was here. */
export function checkClock(server: string, { there, here }: { there: number; here: number }): Finding {
  const difference = there - here;
  const about = `clock of ${server}`;
  if (Math.abs(difference) <= tolerated.warningMs) return ok(about, 'within a second of this machine');
  const seconds = `${(Math.abs(difference) / 1000).toFixed(1)} s ${difference > 0 ? 'ahead of' : 'behind'} this machine`;
  const text = `${seconds}: tokens, leases and schedules depend on it. Synchronise both with NTP`;
  return Math.abs(difference) > tolerated.faultMs ? fault(about, text) : warning(about, text);
}
