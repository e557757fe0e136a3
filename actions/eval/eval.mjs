// Gates a prompt in CI: runs `lensforge eval`, writes its report to the page of the job, and keeps one comment on the pull
// request up to date. Needs Node.js 20 and no packages. The exit code is that of lensforge eval.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { env } = process;
const say = (line) => process.stdout.write(`${line}\n`);
const input = (name, usual = '') => (env[`INPUT_${name.toUpperCase()}`] ?? usual).trim();
const results = { 0: 'passed', 1: 'failed', 6: 'inconclusive' };
/** By this mark at its beginning the comment is found again. */
const mark = '<!-- lensforge eval -->';

async function evaluate(comment) {
  const [command, ...first] = input('command', 'npx --yes lensforge').split(/\s+/);
  const options = ['eval', '-f', input('file'), '--comment', comment, '--junit', input('junit', 'lensforge-eval.xml')];
  const settings = { ...env, LENSFORGE_API_URL: input('api-url'), LENSFORGE_API_KEY: input('token') };
  const child = spawn(command, [...first, ...options], { env: settings, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      say(`::error title=Lensforge::${command} cannot be started: ${message}`);
      resolve(5);
    });
    child.on('close', (code) => resolve(code ?? 5));
  });
}

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Calls the API of GitHub, and throws with its answer. */
async function github(method, path, body) {
  const response = await fetch(`${env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${input('github-token')}`,
      accept: 'application/vnd.github+json',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return response.json();
}

async function findComment(issue) {
  for (let page = 1; ; page += 1) {
    const comments = await github('GET', `${issue}/comments?per_page=100&page=${page}`);
    const found = comments.find(({ body }) => body?.startsWith(mark));
    if (found || comments.length < 100) return found;
  }
}

/** Writes the comment of the pull request of this job, or changes the one that is there. */
async function writeComment(body) {
  const number = JSON.parse(read(env.GITHUB_EVENT_PATH ?? '') || '{}').pull_request?.number;
  if (!number || input('github-token') === '') return;
  const repository = `/repos/${env.GITHUB_REPOSITORY}/issues`;
  const found = await findComment(`${repository}/${number}`);
  if (found) await github('PATCH', `${repository}/comments/${found.id}`, { body });
  else await github('POST', `${repository}/${number}/comments`, { body });
}

if (input('token')) say(`::add-mask::${input('token')}`);
const comment = join(mkdtempSync(join(tmpdir(), 'lensforge-eval-')), 'comment.md');
const code = await evaluate(comment);
const body = read(comment);
const result = results[code] ?? 'error';
if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `result=${result}\n`);
if (env.GITHUB_STEP_SUMMARY && body) appendFileSync(env.GITHUB_STEP_SUMMARY, body);
if (body) {
  await writeComment(body).catch(({ message }) =>
    say(`::warning title=Lensforge::The comment could not be written: ${message}`),
  );
}
if (code !== 0) say(`::error title=Lensforge::The gate of ${input('file')} has the result ${result}`);
process.exitCode = code;
