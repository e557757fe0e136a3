// Runs a lens or a workflow in CI: a GitHub Action, and a script for any other system. Needs Node.js 20 and no packages.
// Inputs are those of action.yml, on GitHub as INPUT_…, elsewhere as LENSFORGE_…: LENSFORGE_API_URL, LENSFORGE_API_KEY,
// LENSFORGE_LENS, LENSFORGE_WORKFLOW, LENSFORGE_INPUTS, LENSFORGE_VERSION, LENSFORGE_TIMEOUT_SECONDS.
// Exit code 0: the run has succeeded. 1: it has not, or was canceled. 2: it could not be started or followed.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

const { env } = process;
const onGitHub = env.GITHUB_ACTIONS === 'true';
/** The token has the name that all clients use. */
const toVariable = (name) => (name === 'token' ? 'API_KEY' : name.toUpperCase().replaceAll('-', '_'));
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] || env[`LENSFORGE_${toVariable(name)}`] || '').trim();

class Fault extends Error {}

function readInputs() {
  const [lens, workflow, url, token] = ['lens', 'workflow', 'api-url', 'token'].map(input);
  if (!url || !URL.canParse(url))
    throw new Fault('api-url must be the address of the API, such as https://api.example.com');
  if (!token) throw new Fault('token is required: keep one in a secret of your CI');
  if (Boolean(lens) === Boolean(workflow)) throw new Fault('Name either a lens or a workflow');
  const timeoutMs = Number(input('timeout-seconds') || 900) * 1000;
  if (!(timeoutMs > 0)) throw new Fault('timeout-seconds must be a positive number');
  return {
    url: url.replace(/(?<!\/)\/+$/, ''),
    token,
    lens,
    workflow,
    values: objectIn(input('inputs') || '{}'),
    timeoutMs,
  };
}

function objectIn(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    /* the fault below says it */
  }
  throw new Fault('inputs must be a JSON object, such as {"Topic": "the sea"}');
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const attempts = 5;
const isTemporary = (status) => status === 429 || status >= 500;

/** Calls the API; repeats the call after a lost connection, a full limit and a fault of the server. */
async function call({ url, token }, method, path, body) {
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === attempts;
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    }).catch((error) => {
      if (last) throw new Fault(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
    });
    if (response && (!isTemporary(response.status) || last)) return readAnswer(response, `${method} ${path}`);
    const seconds = Number(response?.headers.get('retry-after')) || 2 ** (attempt - 1);
    await pause(Math.min(seconds, 60) * 1000);
  }
}

async function readAnswer(response, what) {
  const { data, error } = await response.json().catch(() => ({}));
  if (response.ok) return data;
  const hints = {
    401: ' Check the token: it may be wrong, expired or revoked.',
    403: ' The token lacks a scope: lenses need lenses:read, workflows need workflows:write and workflows:read.',
    404: ' Check the id, and that the account of the token can see it.',
  };
  throw new Fault(
    `${what} was refused (${response.status}): ${error?.message ?? response.statusText}.${hints[response.status] ?? ''}`,
  );
}

const isOver = (status) => !['queued', 'running'].includes(status);

/** Follows the run to its end, and cancels it when the job is canceled or the time is over. */
async function follow(api, runId, stopped) {
  const until = performance.now() + api.timeoutMs;
  let canceled;
  for (let wait = 500; ; wait = Math.min(wait * 1.5, 5000)) {
    const run = await call(api, 'GET', `/runs/${runId}`);
    if (isOver(run.status)) return { run, canceled };
    const reason =
      stopped.reason ?? (performance.now() > until ? `it took longer than ${api.timeoutMs / 1000} s` : undefined);
    if (reason && !canceled) {
      canceled = reason;
      say(`Canceling the run: ${reason}`);
      await call(api, 'POST', `/runs/${runId}/cancel`);
      wait = 250;
    }
    await Promise.race([pause(wait), canceled ? new Promise(() => undefined) : stopped.signal]);
  }
}

const say = (line) => process.stdout.write(`${line}\n`);

/** Text within a command of GitHub's runner. */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const annotate = (message) => say(onGitHub ? `::error title=Lensforge::${escaped(message)}` : `error: ${message}`);

function pickOutput({ artifacts = [] }) {
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  return (
    primary?.contentText ?? (primary?.contentJson === undefined ? '' : JSON.stringify(primary.contentJson, null, 2))
  );
}

function publish(name, value) {
  if (!env.GITHUB_OUTPUT) return;
  const end = randomUUID();
  appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
}

/** A block of code whose fence is longer than every fence in the text. */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const maxShown = 60_000;

function summarise(run, output) {
  const rows = [
    ['Run', `\`${run.id}\``],
    ['Status', run.status],
    ['Model', run.modelKey ? `${run.providerKey}/${run.modelKey}` : '—'],
    ['Credits', run.creditCost ?? '—'],
    ['Milliseconds', run.latencyMs ?? '—'],
    ...(run.errorCode
      ? [['Error', `${run.errorCode}: ${String(run.errorMessage).replaceAll('|', '\\|').replaceAll('\n', ' ')}`]]
      : []),
  ];
  const table = ['| | |', '| --- | --- |', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
  const shown = output.length > maxShown ? `${output.slice(0, maxShown)}\n… (${output.length} characters)` : output;
  const text = `### Lensforge\n\n${table}\n${output === '' ? '' : `\n${fenced(shown)}\n`}`;
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text);
  else say(text);
}

function listenForStop() {
  const stopped = { reason: undefined, signal: undefined };
  stopped.signal = new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM']) {
      process.on(name, () => {
        stopped.reason ??= 'the job was canceled';
        resolve();
      });
    }
  });
  return stopped;
}

async function main() {
  const api = readInputs();
  if (onGitHub) say(`::add-mask::${api.token}`);
  const stopped = listenForStop();
  const version = input('version');
  const order = { idempotencyKey: randomUUID(), ...(version && { version }) };
  const { runId } = api.lens
    ? await call(api, 'POST', `/lenses/${api.lens}/execute`, { ...order, params: api.values })
    : await call(api, 'POST', `/workflows/${api.workflow}/run`, { ...order, inputs: api.values });
  say(`Run ${runId} is accepted`);
  publish('run-id', runId);
  const { run, canceled } = await follow(api, runId, stopped);
  const output = pickOutput(run);
  publish('status', run.status);
  publish('output', output);
  summarise(run, output);
  if (run.status === 'succeeded') return 0;
  const reason = canceled ?? (run.errorCode ? `${run.errorCode}: ${run.errorMessage}` : 'no error was given');
  annotate(`The run ${run.id} is ${run.status} (${reason})`);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  annotate(error instanceof Fault ? error.message : String(error.stack));
  process.exitCode = 2;
}
