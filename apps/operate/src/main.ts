import { text } from 'node:stream/consumers';
import { operate } from './operate.js';

const { argv, env, stdin, stdout, stderr } = process;
// A reader such as `head` may close the pipe before the end.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await operate(argv.slice(2), {
  environment: env,
  print: (line) => void stdout.write(`${line}\n`),
  readInput: () => text(stdin),
  printError: (line) => void stderr.write(`${line}\n`),
});
