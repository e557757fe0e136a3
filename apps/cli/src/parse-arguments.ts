import { type Command, type OptionSpec, globalOptions } from './command.js';
import { Input } from './input.js';
import { UsageFault } from './faults.js';

const isOptional = (name: string): boolean => name.startsWith('[');
export const bare = (name: string): string => name.replace(/^\[(.*)\]$/, '$1');

/** The command that the words name, with the words after its name. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: string[] } | undefined {
  const named = (count: number): Command | undefined =>
    words.length >= count ? commands.find(({ name }) => name === words.slice(0, count).join(' ')) : undefined;
  const command = named(2) ?? named(1);
  return command && { command, rest: words.slice(command.name.split(' ').length) };
}

const optionNamed = (
  specs: Readonly<Record<string, OptionSpec>>,
  word: string,
): { name: string; spec: OptionSpec; attached?: string } | undefined => {
  const [, long, attached] = /^--([a-z-]+)(?:=([^]*))?$/.exec(word) ?? [];
  if (long !== undefined && Object.hasOwn(specs, long)) {
    const spec = specs[long] as OptionSpec;
    return { name: long, spec, ...(attached !== undefined && { attached }) };
  }
  const found = Object.entries(specs).find(([, { short }]) => short !== undefined && word === `-${short}`);
  return found && { name: found[0], spec: found[1] };
};

/** Parses the words after the name of a command. Options can be anywhere; words after `--` are arguments. */
export function parseArguments(command: Command, words: readonly string[]): Input {
  const specs = { ...globalOptions, ...command.options };
  const advice = `See: lensforge ${command.name} --help`;
  const options = new Map<string, string[]>();
  const given: string[] = [];
  const rest = [...words];
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (word === '--') {
      given.push(...rest.splice(0));
    } else if (word.startsWith('-') && word !== '-') {
      const found = optionNamed(specs, word);
      if (!found) throw new UsageFault(`${command.name} has no option ${word.replace(/=[^]*/, '')}`, advice);
      options.set(found.name, [...(options.get(found.name) ?? []), readOptionValue(found, rest, advice)]);
    } else {
      given.push(word);
    }
  }
  for (const [name, values] of options) {
    if (values.length > 1 && specs[name]?.value && !specs[name].repeated)
      throw new UsageFault(`--${name} can be given once`, advice);
  }
  return new Input(options.has('help') ? new Map() : readArguments(command, given, advice), options);
}

function readOptionValue(
  { name, spec, attached }: { name: string; spec: OptionSpec; attached?: string },
  rest: string[],
  advice: string,
): string {
  if (!spec.value) {
    if (attached !== undefined) throw new UsageFault(`--${name} takes no value`, advice);
    return '';
  }
  const value = attached ?? rest.shift();
  if (value === undefined) throw new UsageFault(`--${name} needs a value: --${name} <${spec.value}>`, advice);
  if (spec.oneOf && !spec.oneOf.includes(value))
    throw new UsageFault(`--${name} is one of ${spec.oneOf.join(', ')}`, advice);
  return value;
}

function readArguments({ name, args = [] }: Command, given: readonly string[], advice: string): Map<string, string[]> {
  const required = args.filter((each) => !isOptional(each));
  const missing = required[given.length];
  if (missing !== undefined || given.slice(0, required.length).includes(''))
    throw new UsageFault(`${name} needs <${missing ?? required.join('> <')}>`, advice);
  if (given.length > args.length) throw new UsageFault(`${name} does not take "${given[args.length]}"`, advice);
  return new Map(given.map((value, at) => [bare(args[at] ?? ''), [value]]));
}
