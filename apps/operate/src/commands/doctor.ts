import type { Command } from '../command.js';
import { examine } from '../doctor/doctor.js';

const width = 8;

export const doctorCommand: Command = {
  usage: 'doctor',
  description:
    'checks configuration, stores, versions, clocks, keys, the queue against the database and all invariants, and says what to do; changes nothing',
  runAlone: async ({ environment, print }) => {
    const findings = await examine(environment);
    for (const { level, about, text } of findings) print(`${level.padEnd(width)} ${about}: ${text}`);
    const count = (level: string): number => findings.filter((each) => each.level === level).length;
    print(`${count('fault')} faults, ${count('warning')} warnings`);
    return count('fault') === 0;
  },
};
