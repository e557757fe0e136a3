import { SchemaError } from '@lensforge/database';
import { BadEnvironment, StartupError } from '@lensforge/edge';
import { runStdio } from './stdio-program.js';

const usage = `lensforge-mcp   serves the tools over standard input and output, given DATABASE_URL and LENSFORGE_SERVICE_ROLE_KEY;
                "lensforge-operate issue-service-role-key" prints such a key
`;

/** Errors with a message for the operator. */
const operatorErrors = [BadEnvironment, StartupError, SchemaError];

const toMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return operatorErrors.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
};

const { argv, env, stdin, stdout, stderr } = process;
const args = argv.slice(2);
try {
  if (args.length > 0) {
    stderr.write(usage);
    process.exitCode = args[0] === '--help' ? 0 : 2;
  } else {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stdin.destroy());
    await runStdio({ environment: env, input: stdin, output: stdout, errors: stderr });
  }
} catch (error) {
  stderr.write(`lensforge-mcp cannot start: ${toMessage(error)}\n`);
  process.exitCode = 1;
} finally {
  stdin.destroy();
}
