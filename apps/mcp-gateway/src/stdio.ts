import { BadEnvironment } from '@lensforge/edge';
import { issueKey } from './issue-key-program.js';
import { runStdio } from './stdio-program.js';

const usage = `lensforge-mcp             serves the tools over standard input and output
lensforge-mcp issue-key   prints a service role key for it, given DATABASE_URL and LENSFORGE_MASTER_KEY
`;

/** Errors whose message is a sentence for the person who started the program. */
const plain = new Set(['CannotStart', 'SchemaError']);

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof BadEnvironment || plain.has(error.name) ? error.message : (error.stack ?? error.message);
};

const { argv, env, stdin, stdout, stderr } = process;
const [command, ...rest] = argv.slice(2);
try {
  if (rest.length > 0 || (command !== undefined && command !== 'issue-key')) {
    stderr.write(usage);
    process.exitCode = command === '--help' ? 0 : 2;
  } else if (command === 'issue-key') {
    stdout.write(`${await issueKey(env)}\n`);
  } else {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stdin.destroy());
    await runStdio({ environment: env, input: stdin, output: stdout, errors: stderr });
  }
} catch (error) {
  stderr.write(`lensforge-mcp cannot start: ${sentenceOf(error)}\n`);
  process.exitCode = 1;
} finally {
  stdin.destroy();
}
