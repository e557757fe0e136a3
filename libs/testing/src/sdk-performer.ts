import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = join(import.meta.dirname, '../../../sdk');

/** A call of an SDK; `gives` and the others say what has to come of it. */
export interface SdkCall {
  do: string;
  args: unknown[];
  options?: object;
  as?: string;
  gives?: object;
}

export interface SdkCase<Call extends SdkCall = SdkCall> {
  name: string;
  calls: Call[];
  tokens?: string[];
}

export type Outcome = Readonly<Record<string, unknown>>;

interface Language {
  name: string;
  /** The program and its arguments, in the folder sdk. */
  command: readonly [string, ...string[]];
}

/** Debian's packages are those of Debian's Python, which need not be the first in the path. */
const python = '/usr/bin/python3';

const hasPython = (): boolean => spawnSync(python, ['-c', 'import httpx']).status === 0;

/** The SDKs that can be used here. */
export function sdkLanguages(): Language[] {
  const javascript: Language = { name: 'JavaScript', command: [process.execPath, 'cases/perform.mjs'] };
  if (!hasPython()) return [javascript];
  return [
    javascript,
    { name: 'Python', command: [python, 'python/tests/perform.py'] },
    { name: 'Python with asyncio', command: [python, 'python/tests/perform.py', 'async'] },
  ];
}

/** The cases of a file of sdk/cases. */
export const readSdkCases = <C extends SdkCase>(name: string): C[] =>
  JSON.parse(readFileSync(join(folder, 'cases', name), 'utf8')) as C[];

/** A value of a case in which texts such as `/abc/` are patterns. */
export function withPatterns(value: unknown, toMatcher: (pattern: RegExp) => unknown): unknown {
  if (typeof value === 'string') {
    const isPattern = value.length > 2 && value.startsWith('/') && value.endsWith('/');
    return isPattern ? toMatcher(new RegExp(value.slice(1, -1))) : value;
  }
  if (Array.isArray(value)) return value.map((each) => withPatterns(each, toMatcher));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPatterns(each, toMatcher)]));
}

/** A process that performs calls with one of the SDKs. */
export class SdkPerformer {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;
  private complaint = '';

  constructor({ command: [program, ...args] }: Language) {
    this.child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], PYTHONPATH: 'python/src', PYTHONDONTWRITEBYTECODE: '1' },
    });
    this.child.stderr.setEncoding('utf8').on('data', (part: string) => (this.complaint += part));
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Performs these calls one after the other. */
  async perform(url: string, tokens: readonly string[], calls: readonly SdkCall[]): Promise<Outcome[]> {
    this.child.stdin.write(`${JSON.stringify({ url, tokens, calls })}\n`);
    const next = await this.lines.next();
    if (next.done) throw new Error(`the SDK ended: ${this.complaint}`);
    return JSON.parse(next.value) as Outcome[];
  }

  async close(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.stdin.end();
    await closed;
  }
}
