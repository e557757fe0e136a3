const { readFileSync, readdirSync } = require('node:fs');

/** A sandbox process serves all files of a worker, and ends by itself. */
const outlivesFiles = /sandbox-program\.js/;

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const childrenOf = (pid) => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
};

/** True for a process that has ended. One that has just started has no command line yet, as one that has ended. */
const hasEnded = (pid) => !/\) [^ZX]/.test(read(`/proc/${pid}/stat`));

/** The process ids below this process with their command lines. Empty where the system has no /proc. */
function living() {
  const found = new Map();
  const visit = (pid) => {
    for (const child of childrenOf(pid)) {
      const command = read(`/proc/${child}/cmdline`).replaceAll('\0', ' ').trim();
      if (!hasEnded(child) && !outlivesFiles.test(command)) found.set(child, command);
      visit(child);
    }
  };
  visit(process.pid);
  return found;
}

/** The processes that a test file starts, counted from now. */
exports.startedProcesses = () => {
  const before = living();
  const left = () => [...living()].filter(([pid]) => !before.has(pid));

  return {
    /** Waits for the processes to end, kills those that do not, and returns their command lines. */
    async endOrKill(withinMs) {
      const deadline = Date.now() + withinMs;
      while (left().length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
      return left().map(([pid, command]) => {
        process.kill(Number(pid), 'SIGKILL');
        return command.slice(0, 200);
      });
    },
  };
};

const ticksPerSecond = 100;

/** The processor time of this process and of its processes that have ended. Without /proc, that of this process alone. */
exports.processorSeconds = () => {
  const own = process.cpuUsage();
  // The second field is a name in parentheses; the 16th and 17th are the times of children.
  const fields = read('/proc/self/stat').split(') ').pop().split(' ');
  const ticks = Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
  return (own.user + own.system) / 1e6 + ticks / ticksPerSecond;
};
