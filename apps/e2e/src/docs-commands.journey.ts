import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnsweringProvider, openAnsweringProvider } from './answering-provider.js';
import { type DocumentedPage, pages } from './documented-pages.js';
import { stepsOf } from './shell-page.js';
import { faultsOfReplies } from './shown-replies.js';
import { type DevFile, type PortBase, StartCommand, reservePortBase } from './start-command.js';

const root = join(import.meta.dirname, '..', '..', '..');
const separator = '--- end of a step ---';

/**
 * curl with a record of all answers. It sets the variables that the pages use for what an answer is about, and leaves
 * event streams that do not end.
 */
const recordingCurl = `
curl() {
  local answer call status=0 limit=60
  [[ $* != */events* ]] || limit=6
  answer=$(mktemp -p "$RECORDS")
  command curl -sS --max-time $limit "$@" -w '%{stderr}%{http_code} %{method} %{url_effective}\\n' 2> "$answer.call" > "$answer" || status=$?
  cat "$answer"
  call=$(tail -n 1 "$answer.call")
  echo "$call $([[ $call == [45]* ]] && head -c 400 "$answer")" >> "$RECORDS/calls"
  [[ $call != 2*' POST '* && $call != *' GET '*/approvals* ]] || node ${join(import.meta.dirname, 'remember-ids.mjs')} "$call" "$answer" >> "$RECORDS/ids"
  [[ $* == */events* ]] || return $status
}
lensforge() { node ${root}/bundle/lensforge.js "$@"; }
trap '. "$RECORDS/ids"' DEBUG
`;

describe('the shell commands of the documentation', () => {
  let folder: string;
  let platform: StartCommand;
  let facts: DevFile;
  let provider: AnsweringProvider;
  let ports: PortBase;

  beforeAll(async () => {
    ports = await reservePortBase();
    folder = await mkdtemp(join(tmpdir(), 'lensforge-docs-'));
    provider = await openAnsweringProvider('The answer of a model.');
    const environment = {
      ...process.env,
      LENSFORGE_ALL_IN_ONE: 'on',
      LENSFORGE_OPENAI_BASE_URL: provider.url,
      LENSFORGE_EGRESS_ALLOW: 'loopback',
      // All pages together make more than one reader would.
      LENSFORGE_AI_LENSERS_PER_OWNER: '50',
    };
    const home = join(folder, '.lensforge');
    const options = { args: ['--with', 'openai'], input: 'sk-key-of-the-docs\n' };
    platform = new StartCommand(home, ports.base, environment, options);
    facts = await platform.ready();
    for (const entry of await readdir(root)) {
      if (entry !== '.lensforge' && entry !== '.git') await symlink(join(root, entry), join(folder, entry));
    }
  });
  afterAll(async () => {
    await platform.stop();
    await ports.release();
    provider.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are all in the table of pages, and those that are not run can be read by a shell', async () => {
    const found = [];
    const unreadable = [];
    for (const path of await markdownPages()) {
      const steps = stepsOf(await readFile(join(root, path), 'utf8'));
      if (steps.length > 0) found.push(path);
      for (const { command } of steps) {
        const shell = spawn('bash', ['-n', '-c', command], { stdio: 'ignore' });
        const [code] = (await once(shell, 'exit')) as [number | null];
        if (code !== 0) unreadable.push(command);
      }
    }
    expect(found.sort()).toEqual(Object.keys(pages).sort());
    expect(unreadable).toEqual([]);
  });

  it.each(Object.entries(pages).filter(([, page]) => typeof page !== 'string'))('%s', async (path, page) => {
    const { before = {}, notRun = {}, otherReplies = {}, refusals = [] } = page as DocumentedPage;
    const records = join(folder, 'records', path.replaceAll('/', '-'));
    await mkdir(records, { recursive: true });
    await writeFile(join(records, 'ids'), '');
    await writeFile(join(records, 'calls'), '');
    const steps = stepsOf(await readFile(join(root, path), 'utf8'));
    const script = steps
      .map(({ command }, at) => (at in notRun ? '' : `${before[at] ?? ''}${here(command)}\n`))
      .map((commands) => `${commands}printf '\\n%s\\n' '${separator}'\n`)
      .join('\n');
    const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
    const settings = {
      LENSFORGE_API_URL: facts.urls['api'],
      LENSFORGE_API_KEY: facts.tokens['session'],
      AUTHORIZATION: `Authorization: Bearer ${facts.tokens['session']}`,
      OTHER_TOKEN: facts.tokens['session2'],
      MCP: facts.urls['mcp'],
      MCP_TOKEN: facts.tokens['mcp'],
      LENS: facts.lensId,
      WORKFLOW: facts.workflowId,
      OPENAI_API_KEY: 'sk-key-of-a-person',
      PROVIDER: provider.url,
      LENSFORGE_HOME: platform.home,
      RECORDS: records,
    };
    const output = await open(join(records, 'output'), 'w');
    const shell = spawn('bash', ['-eo', 'pipefail', '-c', recordingCurl + script], {
      env: { ...env, ...settings },
      cwd: folder,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    const [code] = (await once(shell, 'exit')) as [number | null];
    await output.close();
    // Servers that the page starts in the background.
    if (shell.pid !== undefined) endGroup(shell.pid);
    const printed = await readFile(join(records, 'output'), 'utf8');
    const failure = code === 0 ? undefined : printed.slice(-2000);
    const calls = (await readFile(join(records, 'calls'), 'utf8')).trim().split('\n');
    const refused = calls.filter(
      (call) => call !== '' && /^[345]/.test(call) && !refusals.some((each) => isOf(call, each)),
    );
    expect([failure, refused]).toEqual([undefined, []]);
    const outputs = printed.split(`${separator}\n`);
    const faults = steps.flatMap(({ command, shown }, at) =>
      shown === undefined || at in notRun || at in otherReplies
        ? []
        : faultsOfReplies(shown, outputs[at] ?? '').map((fault) => ({ command, fault })),
    );
    expect(faults).toEqual([]);
  });

  /** A command of a page with the addresses of this platform, and without the places for settings of the reader. */
  const here = (command: string): string =>
    command
      .replaceAll('http://127.0.0.1:4000', String(facts.urls['api']))
      .replaceAll('http://127.0.0.1:4200', String(facts.urls['oauth']))
      .replace(/^(export )?LENSFORGE_API_KEY=…+.*\n/gm, '');
});

/** The pages for readers: of the whole project and of its documentation. */
async function markdownPages(): Promise<string[]> {
  const under = async (folder: string): Promise<string[]> =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name));
  const all = [await readdir(root), await under('docs'), await under('actions'), await under('examples')];
  return all.flat().filter((path) => path.endsWith('.md'));
}

/** Ends the processes that a shell has left. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** True if the record of a call is that of a refusal such as `400 POST /id/token`; `*` is any part of a path. */
function isOf(call: string, refusal: string): boolean {
  const [status, method, path = ''] = refusal.split(' ');
  const [is, by, url = ''] = call.split(' ');
  const form = new RegExp(`^${path.replaceAll('*', '[^/]+')}$`);
  return is === status && by === method && form.test(new URL(url).pathname);
}
