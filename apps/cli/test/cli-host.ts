import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../src/host.js';
import { runCli } from '../src/run-cli.js';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string | AsyncIterable<string>;
  /** Makes stdout and stderr terminals. */
  terminal?: boolean;
  signal?: AbortSignal;
  openBrowser?: (url: string) => void;
  edit?: (text: string) => Promise<string>;
  onMessage?: (text: string) => void;
}

export interface CliUser {
  folder: string;
  run: (words: readonly string[], options?: RunOptions) => Promise<Outcome>;
  close: () => Promise<void>;
}

/** A user with a folder of settings, who runs commands in this process. */
export async function aCliUser(environment: Record<string, string> = {}): Promise<CliUser> {
  const folder = await mkdtemp(join(tmpdir(), 'lensforge-cli-'));
  return {
    folder,
    close: () => rm(folder, { recursive: true, force: true }),
    run: async (words, options = {}) => {
      const outcome = { code: -1, stdout: '', stderr: '' };
      const writer = (name: 'stdout' | 'stderr') => ({
        isTTY: options.terminal ?? false,
        write: (text: string) => {
          outcome[name] += text;
          if (name === 'stderr') options.onMessage?.(text);
        },
      });
      const host: Host = {
        env: { LENSFORGE_CONFIG_DIR: folder, ...environment, ...options.env },
        stdin: typeof options.stdin === 'object' ? options.stdin : textStream(options.stdin ?? ''),
        stdout: writer('stdout'),
        stderr: writer('stderr'),
        signal: options.signal ?? new AbortController().signal,
        openBrowser: options.openBrowser ?? (() => undefined),
        edit: options.edit ?? (async (text) => text),
      };
      outcome.code = await runCli(words, host);
      return outcome;
    },
  };
}

async function* textStream(text: string): AsyncGenerator<string> {
  yield text;
}
