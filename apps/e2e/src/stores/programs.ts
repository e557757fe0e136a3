import { spawn } from 'node:child_process';
import { accessSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';
import { waitForExit, followLines, killWithParent, terminate } from '@lensforge/embedded';
import { until } from '@lensforge/testing';

/** The path of an installed program; undefined when there is none. */
export function findProgram(name: string): string | undefined {
  // oxlint-disable-next-line lensforge/environment-at-the-edge -- programs are looked up as a shell does
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A `describe` that is skipped, with a line that says so, when one of the programs is not installed. */
export function describeWith(programs: readonly string[]): typeof describe | typeof describe.skip {
  const missing = programs.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return describe;
  process.stderr.write(`skipped, as these programs are not installed: ${missing.join(', ')}\n`);
  return describe.skip;
}

/** Servers that refuse to run as root run as this user. */
export const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;

export interface Folder {
  path: string;
  /** Writes a file that only the servers and this process can read, and returns its path. */
  write(name: string, text: string, mode?: number): string;
  remove(): void;
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'lensforge-stores-'));
  if (unprivileged !== undefined) chownSync(path, unprivileged, unprivileged);
  return {
    path,
    write: (name, text, mode = 0o600) => {
      const file = join(path, name);
      writeFileSync(file, text, { mode });
      if (unprivileged !== undefined) chownSync(file, unprivileged, unprivileged);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export interface Program {
  pid: number;
  output: readonly string[];
  /** Kills the program as a crash would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  file: string;
  args: readonly string[];
  /** The port of loopback at which it accepts connections once it is ready. */
  port: number;
  folder: Folder;
}

/** Starts a server as a child process, which ends with this process. */
export async function startProgram({ file, args, port, folder }: ProgramOptions): Promise<Program> {
  const child = spawn(file, args, {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(unprivileged !== undefined && { uid: unprivileged, gid: unprivileged }),
  });
  const ended = waitForExit(child);
  const output = followLines([child.stdout, child.stderr]);
  const listening = until(() => isOpen(port));
  await Promise.race([listening, ended]);
  const { pid, exitCode } = child;
  if (exitCode !== null || pid === undefined) throw new Error(`${file} did not start: ${output.join('\n')}`);
  await listening;
  const untie = killWithParent(pid);
  const end = async (...steps: [NodeJS.Signals, number][]): Promise<void> => {
    await terminate(child, ended, ...steps);
    await untie();
  };
  return {
    pid,
    output,
    kill: () => end(['SIGKILL', 0]),
    stop: () => end(['SIGTERM', 3000], ['SIGKILL', 0]),
  };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
