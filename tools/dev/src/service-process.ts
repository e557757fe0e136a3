import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { waitForExit, terminate, followLines, killWithParent } from '@lensforge/embedded';
import type { Start } from './supervise.js';

export interface ServiceOptions {
  entry: string;
  /** The size of V8's young generation: small for idle services, larger for busy ones to halve garbage collection. */
  nurseryMb?: number | undefined;
  folder: string;
  port: number;
  environment: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
  drainMs: number;
  /** The start timeout of a service. */
  patienceMs: number;
}

const beat = 30;
/** The heap limit that Node.js sets in a container of about 640 MB; without it, garbage is kept for long. */
const heapMb = 320;
/** V8 would collect the whole heap each time it has grown by a third, which takes a tenth of a worker's time. */
const heapGrowingPercent = 150;

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path: '/ready', agent: false, timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(false));
  });
}

/** The last output of a process: its errors, or else its last line. */
function lastWords(lines: readonly string[]): string {
  const plain = lines.filter((line) => !line.startsWith('{') || /"level":"(warn|error|fatal)"/.test(line));
  return (plain.length > 0 ? plain.slice(-12) : lines.slice(-1)).join('\n');
}

export const serviceProcess =
  (options: ServiceOptions): Start =>
  async (signal) => {
    signal.throwIfAborted();
    const flags = [
      `--max-semi-space-size=${options.nurseryMb ?? 4}`,
      `--max-old-space-size=${heapMb}`,
      `--heap-growing-percent=${heapGrowingPercent}`,
      '--enable-source-maps',
    ];
    const child = spawn(process.execPath, [...flags, options.entry], {
      cwd: options.folder,
      env: { ...options.environment, PORT: `${options.port}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ended = waitForExit(child);
    const lines = followLines([child.stdout, child.stderr], options.onLine);
    const { pid } = child;
    if (pid === undefined) throw new Error(`${process.execPath} could not be run`);
    const untie = killWithParent(pid, 'TERM', options.drainMs + 3000);
    const gone = ended.then(async ({ code, signal: by }) => {
      await untie();
      await pause(20);
      return `${lastWords(lines)} (${by ?? `exit code ${code}`})`.trim();
    });
    const stop = async (): Promise<void> => {
      child.kill('SIGCONT');
      await terminate(child, ended, ['SIGTERM', options.drainMs + 2000], ['SIGKILL', 0]);
      await gone;
    };

    let over: string | undefined;
    void gone.then((words) => (over = words));
    const deadline = performance.now() + options.patienceMs;
    while (over === undefined && !(await isReady(options.port))) {
      if (signal.aborted || performance.now() > deadline) {
        await stop();
        signal.throwIfAborted();
        throw new Error(`it was not ready after ${options.patienceMs / 1000} s; ${await gone}`);
      }
      await pause(beat);
    }
    if (over !== undefined) throw new Error(over);
    return { pid, ended: gone, stop };
  };
