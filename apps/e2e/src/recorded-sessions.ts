import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@lensforge/testing';

const run = promisify(execFile);
const prompt = '$ ';

export const hasTmux = (): boolean => spawnSync('tmux', ['-V']).status === 0;

/** A shell in a terminal of tmux, for programs that write differently to a terminal. */
export class Terminal {
  private constructor(private readonly socket: string) {}

  static async open(folder: string, env: Readonly<Record<string, string>>): Promise<Terminal> {
    const terminal = new Terminal(join(folder, 'tmux'));
    const settings = Object.entries({ PS1: prompt, TERM: 'xterm-256color', ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    await terminal.tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '50',
      'env',
      '-i',
      ...settings,
      'sh',
    );
    await terminal.ready();
    return terminal;
  }

  /** Types a command, and Ctrl-C when `interruptAt` is shown; returns what the terminal shows of it, with the command. */
  async type(command: string, interruptAt?: string): Promise<string> {
    await this.tmux('send-keys', '-R');
    await this.tmux('clear-history');
    await this.tmux('send-keys', 'Enter');
    await this.ready();
    await this.tmux('send-keys', '-l', command);
    // Until the command is shown, the prompt before it would be taken for the one after it.
    await this.shows((screen) => screen.includes(prompt + command), 'the command');
    await this.tmux('send-keys', 'Enter');
    if (interruptAt !== undefined) {
      await this.shows((screen) => screen.includes(interruptAt), interruptAt);
      await this.tmux('send-keys', 'C-c');
    }
    await this.ready();
    const shown = await this.screen();
    return shown.slice(shown.indexOf(prompt + command.slice(0, 20)), shown.lastIndexOf(prompt)).trimEnd();
  }

  async close(): Promise<void> {
    await this.tmux('kill-server').catch(() => undefined);
  }

  private ready(): Promise<void> {
    return this.shows((screen) => screen.trimEnd().endsWith(`\n${prompt.trim()}`), 'a prompt');
  }

  private async shows(isShown: (screen: string) => boolean, name: string): Promise<void> {
    let screen = '';
    const look = async (): Promise<boolean> => isShown((screen = await this.screen()));
    await until(look, { what: () => `${name} in the terminal:\n${screen}\n` });
  }

  private async screen(): Promise<string> {
    return `\n${await this.tmux('capture-pane', '-p', '-J', '-S', '-')}`;
  }

  private async tmux(...args: string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-S', this.socket, ...args]);
    return stdout;
  }
}

const page = join(import.meta.dirname, '../../../docs/cli.md');
const blocks = /```console\n([^]*?)\n```/g;

/** Replaces what differs between two sessions; the members of an event have no order. */
export const normalized = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, '<time>')
    .replace(/(latencyMs=)\d+/g, '$1<duration>')
    .replace(/^([a-z.]+)((?: \w+=\S+)+)$/gm, (_, event: string, members: string) =>
      [event, ...members.trim().split(' ').sort()].join(' '),
    )
    .replace(/ +/g, ' ')
    .replace(/ +$/gm, '');

/** The first words of the last line before `^C`. */
function interruptionIn(output: readonly string[]): string | undefined {
  const before = output
    .slice(
      0,
      output.findIndex((line) => line.includes('^C')),
    )
    .at(-1);
  return output.some((line) => line.includes('^C')) ? before?.split(' ').slice(0, 2).join(' ') : undefined;
}

/** Performs the sessions of docs/cli.md: commands follow `$ `, and `^C` ends the one before it. */
export async function performSessions(terminal: Terminal): Promise<{ documented: string; performed: string }[]> {
  const text = await readFile(page, 'utf8');
  const sessions: { documented: string; performed: string }[] = [];
  for (const [, documented = ''] of text.matchAll(blocks)) {
    const shown: string[] = [];
    for (const part of documented.split(/^(?=\$ )/m)) {
      const [first = '', ...output] = part.trimEnd().split('\n');
      shown.push(await terminal.type(first.slice(prompt.length), interruptionIn(output)));
    }
    sessions.push({ documented, performed: shown.join('\n') });
  }
  return sessions;
}

/** Writes the performed sessions into docs/cli.md. */
export async function recordSessions(sessions: readonly { performed: string }[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  let at = 0;
  await writeFile(
    page,
    text.replace(blocks, () => `\`\`\`console\n${sessions[at++]?.performed ?? ''}\n\`\`\``),
  );
}
