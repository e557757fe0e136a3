import { commands } from './commands.js';
import { commandHelp, overview } from './help.js';
import { Interrupted, UsageFault, adviceFor, toExitCode, exitCodes, getRequestId } from './faults.js';
import type { Host } from './host.js';
import { findCommand, parseArguments } from './parse-arguments.js';
import { Session } from './session.js';
import { Terminal } from './terminal.js';
import { version } from './version.js';

/** Runs a command line and returns its exit code. */
export async function runCli(words: readonly string[], host: Host): Promise<number> {
  const terminal = new Terminal(host.stdout, host.stderr, host.env);
  try {
    await dispatch(words, host, terminal);
    return exitCodes.ok;
  } catch (error) {
    const fault = host.signal.aborted ? new Interrupted() : error;
    report(fault, terminal);
    return toExitCode(fault);
  }
}

async function dispatch(words: readonly string[], host: Host, terminal: Terminal): Promise<void> {
  const [first = 'help', second] = words;
  if (first === '--version' || first === 'version') {
    terminal.data(`${version}\n`);
    return;
  }
  if (['help', '--help', '-h'].includes(first)) {
    const named = findCommand(commands, words.slice(1));
    terminal.data(`${named ? commandHelp(named.command) : overview(commands, second)}\n`);
    return;
  }
  const found = findCommand(commands, words);
  if (!found) throw unknownCommand(first, second);
  const { command, rest } = found;
  const input = parseArguments(command, rest);
  if (input.flag('help')) {
    terminal.data(`${commandHelp(command)}\n`);
    return;
  }
  await command.run(await Session.open(host, input), input);
}

function unknownCommand(first: string, second: string | undefined): UsageFault {
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]);
  if (group.length === 0) return new UsageFault(`There is no command ${first}`);
  const which =
    second === undefined || second.startsWith('-') ? `${first} needs a command` : `${first} has no command ${second}`;
  return new UsageFault(`${which}: one of ${group.join(', ')}`, `See: lensforge help ${first}`);
}

function report(error: unknown, terminal: Terminal): void {
  if (error instanceof Interrupted) {
    terminal.message('interrupted');
    return;
  }
  const requestId = getRequestId(error);
  terminal.message(`error: ${error instanceof Error ? error.message : String(error)}`);
  terminal.message(`  ${adviceFor(error)}`);
  if (requestId !== undefined) terminal.message(`  request ${requestId}`);
}
