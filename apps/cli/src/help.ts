import { type Command, type OptionSpec, globalOptions } from './command.js';
import { bare } from './parse-arguments.js';

const formatUsage = ({ name, args = [] }: Command): string =>
  ['lensforge', name, ...args.map((arg) => (arg.startsWith('[') ? `[${bare(arg)}]` : `<${arg}>`))].join(' ');

const aligned = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

const optionRow = ([name, { value, short, oneOf, summary }]: [string, OptionSpec]): [string, string] => [
  `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`,
  oneOf ? `${summary}: ${oneOf.join(', ')}` : summary,
];

export function commandHelp(command: Command): string {
  const own = Object.entries(command.options ?? {});
  return [
    command.summary,
    '',
    `  ${formatUsage(command)}${own.length > 0 ? ' [options]' : ''}`,
    ...(own.length > 0 ? ['', 'Options:', ...aligned(own.map(optionRow))] : []),
    '',
    'Options of every command:',
    ...aligned(Object.entries(globalOptions).map(optionRow)),
  ].join('\n');
}

/** The list of commands, or of those of one group. */
export function overview(commands: readonly Command[], group?: string): string {
  const shown = commands.filter(({ name }) => group === undefined || name.split(' ')[0] === group);
  return [
    'lensforge runs lenses and workflows of a Lensforge platform. lf is the same program.',
    '',
    ...aligned(shown.map((command) => [formatUsage(command), command.summary])),
    '',
    'lensforge <command> --help describes a command. docs/cli.md describes credentials, output and exit codes.',
  ].join('\n');
}
