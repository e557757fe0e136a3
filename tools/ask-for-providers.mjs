import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { NotReady } from './ready.mjs';

// The keys of providers for npm start. Uses no packages, since it runs before an install.

const keyVariables = {
  openai: ['LENSFORGE_OPENAI_API_KEY', 'OPENAI_API_KEY'],
  anthropic: ['LENSFORGE_ANTHROPIC_API_KEY', 'ANTHROPIC_API_KEY'],
  google: ['LENSFORGE_GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  'openai-compatible': ['LENSFORGE_OPENAI_COMPATIBLE_API_KEY'],
};

/** The providers whose keys an earlier start stored. */
function storedIn(home) {
  try {
    return Object.keys(JSON.parse(readFileSync(join(home, 'provider-keys.json'), 'utf8')));
  } catch {
    return [];
  }
}

/** Asks on a terminal, or reads a line of a pipe. A secret is not shown while it is typed. */
function openQuestions(signal) {
  const muted = new Writable({ write: (chunk, encoding, done) => done() });
  const lines = process.stdin.isTTY ? undefined : createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async (text, { secret = false } = {}) => {
    if (secret || lines) process.stderr.write(lines ? `${text}\n` : text);
    if (lines) {
      return ((await lines.next()).value ?? '').trim();
    }
    const output = secret ? muted : process.stderr;
    const terminal = createInterface({ input: process.stdin, output, terminal: true });
    terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      return (await terminal.question(secret ? '' : text, { signal })).trim();
    } finally {
      terminal.close();
      if (secret) process.stderr.write('\n');
    }
  };
}

/** A key as the settings of run-workers allow it; empty where it may be absent. */
function checkedKey(key, provider) {
  const isOptional = provider === 'openai-compatible';
  if (/^[\x21-\x7e]{8,500}$/.test(key) || (isOptional && key === '')) return key || undefined;
  throw new NotReady(
    `The API key of ${provider} must have 8 to 500 characters without spaces: give it when asked, or set ${keyVariables[provider].at(-1)}.`,
  );
}

function checkedUrl(url) {
  if (/^https?:\/\/[^\s/]+/.test(url)) return url;
  throw new NotReady(
    `"${url}" is not the address of a model server: give one such as http://127.0.0.1:11434/v1, or set LENSFORGE_OPENAI_COMPATIBLE_BASE_URL.`,
  );
}

/** The keys of the providers that are not stored yet, from the environment or from the person at the terminal. */
export async function askForProviders(providers, { home, fresh, environment, signal }) {
  const unknown = providers.find((name) => !Object.hasOwn(keyVariables, name));
  if (unknown !== undefined) {
    throw new NotReady(`--with "${unknown}" names no provider: use ${Object.keys(keyVariables).join(', ')}.`);
  }
  const stored = fresh ? [] : storedIn(home);
  const wanted = [...new Set(providers)].filter((name) => !stored.includes(name));
  if (wanted.length === 0) return {};
  const ask = openQuestions(signal);
  const keys = {};
  for (const provider of wanted) {
    const fromEnvironment = keyVariables[provider].map((name) => environment[name]).find(Boolean);
    const own = provider === 'openai-compatible';
    const baseUrl = own
      ? checkedUrl(environment.LENSFORGE_OPENAI_COMPATIBLE_BASE_URL || (await ask('  Address of your model server: ')))
      : undefined;
    const question = `  API key of ${provider}${own ? ' (Enter for none)' : ''}: `;
    const key = checkedKey(fromEnvironment ?? (await ask(question, { secret: true })), provider);
    keys[provider] = { key, baseUrl };
  }
  return keys;
}
