#!/usr/bin/env node
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { ollama, openAiCompatible } from './model-server.js';
import { PlatformApi } from './platform-api.js';
import { serveRuns } from './runner.js';

const help = `lensforge-runner executes your runs with fundingSource user_byok_local on this machine.

  --api <url>      the platform, http://127.0.0.1:4000 unless said
  --ollama <url>   an Ollama server, http://127.0.0.1:11434 unless said
  --openai <url>   in its place whatever speaks chat completions; ends in /v1
  --model <name>   the model to ask, whatever the runs name
  --name <name>    what this runner calls itself

LENSFORGE_API_KEY is your developer token; LENSFORGE_RUNNER_MODEL_KEY what --openai asks for, if it does.
`;

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'http://127.0.0.1:4000' },
    ollama: { type: 'string', default: 'http://127.0.0.1:11434' },
    openai: { type: 'string' },
    model: { type: 'string' },
    name: { type: 'string', default: hostname() },
    help: { type: 'boolean', default: false },
  },
});
const { LENSFORGE_API_KEY: token, LENSFORGE_RUNNER_MODEL_KEY: key } = process.env;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) say(help);
else if (!token) {
  process.stderr.write(`LENSFORGE_API_KEY is needed.\n\n${help}`);
  process.exitCode = 2;
} else {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
  const bare = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
  try {
    say(`waiting for runs of ${values.api}`);
    await serveRuns({
      api: new PlatformApi(bare(values.api), token),
      server: values.openai ? openAiCompatible(bare(values.openai), key) : ollama(bare(values.ollama)),
      name: values.name,
      model: values.model,
      signal: stopping.signal,
      say,
    });
  } catch (reason) {
    process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`);
    process.exitCode = 1;
  }
}
