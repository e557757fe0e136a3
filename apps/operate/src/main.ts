import { operate } from './operate.js';

const { argv, env, stdout, stderr } = process;
process.exitCode = await operate(argv.slice(2), {
  environment: env,
  print: (line) => void stdout.write(`${line}\n`),
  printError: (line) => void stderr.write(`${line}\n`),
});
