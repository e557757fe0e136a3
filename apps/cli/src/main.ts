import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFault, Interrupted, exitCodes } from './faults.js';
import { runCli } from './run-cli.js';

const { env, stdin, stdout, stderr } = process;
const controller = new AbortController();
// The second Ctrl-C ends the program at once.
process.once('SIGINT', () => controller.abort(new Interrupted()));
// The reader of a pipe, such as head, may end before the program.
stdout.on('error', () => process.exit(exitCodes.ok));

function openBrowser(url: string): void {
  const [program = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

async function edit(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lensforge-'));
  const file = join(folder, 'template.txt');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const editor = env['VISUAL'] ?? env['EDITOR'] ?? (process.platform === 'win32' ? 'notepad' : 'vi');
    const { status } = spawnSync(`${editor} "${file}"`, { stdio: 'inherit', shell: true });
    if (status !== 0) throw new CommandFault(`The editor ${editor} failed`, 'Set EDITOR, or give the text with --file');
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await runCli(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signal: controller.signal,
  openBrowser,
  edit,
});
// Connections that are kept alive would delay the end of the program.
stdout.write('', () => process.exit());
