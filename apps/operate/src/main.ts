import { operate } from './operate.js';

const { argv, env, stdout, stderr } = process;
process.exitCode = await operate(argv.slice(2), {
  environment: env,
  say: (line) => void stdout.write(`${line}\n`),
  complain: (line) => void stderr.write(`${line}\n`),
});
