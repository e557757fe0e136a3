import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** At this priority a sandbox gets about a tenth of a busy core, and all of an idle one. */
const addedNiceness = 10;
const maxNiceness = 19;

/**
 * Lowers the priority of all threads of this process and, where Linux groups processes by session (autogroup), that of the
 * session: otherwise the sandbox of one service would compete with other services as an equal.
 */
export function lowerPriority(): void {
  const niceness = Math.min(getPriority() + addedNiceness, maxNiceness);
  attempt(() => setPriority(niceness));
  attempt(() =>
    readdirSync('/proc/self/task').forEach((thread) => attempt(() => setPriority(Number(thread), niceness))),
  );
  attempt(() => writeFileSync('/proc/self/autogroup', String(niceness)));
}

function attempt(lower: () => void): void {
  try {
    lower();
  } catch {
    // A thread has ended, the system has no such files, or this user may not change priorities.
  }
}
