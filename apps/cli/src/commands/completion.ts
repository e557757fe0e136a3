import { type Command, globalOptions } from '../command.js';
import { UsageFault } from '../faults.js';
import { findCommand } from '../parse-arguments.js';

const scripts: Readonly<Record<string, string>> = {
  bash: `_lensforge() {
  COMPREPLY=()
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(lensforge completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _lensforge lensforge lf`,
  zsh: `#compdef lensforge lf
_lensforge() {
  local -a found
  found=("\${(@f)$(lensforge completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found[1]" ]] && compadd -- "\${found[@]}" || _files
}
compdef _lensforge lensforge lf`,
  fish: `function __lensforge_words
  lensforge completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c lensforge -a '(__lensforge_words)'
complete -c lf -a '(__lensforge_words)'`,
};

/** The words that can follow on a command line whose last word is not finished. */
export function candidates(commands: readonly Command[], line: readonly string[]): string[] {
  const last = line.at(-1) ?? '';
  const before = line.slice(0, -1);
  const named = findCommand(commands, before);
  const found = [...namesAfter(commands, before), ...(named ? optionsAfter(named.command, last) : [])];
  return [...new Set(found)].filter((word) => word.startsWith(last)).sort();
}

const namesAfter = (commands: readonly Command[], before: readonly string[]): string[] =>
  commands.flatMap(({ name }) => {
    const words = name.split(' ');
    const fits = before.length < words.length && before.every((word, at) => word === words[at]);
    return fits ? [words[before.length] ?? ''] : [];
  });

const optionsAfter = ({ options = {} }: Command, last: string): string[] =>
  last.startsWith('-') ? Object.keys({ ...options, ...globalOptions }).map((name) => `--${name}`) : [];

/** The commands that complete lines of `all`, which includes them. */
export const completionCommands = (all: () => readonly Command[]): readonly Command[] => [
  {
    name: 'completion',
    summary: 'Print a script that completes commands: bash, zsh or fish',
    args: ['shell'],
    async run(session, input) {
      const script = scripts[input.arg('shell')];
      if (script === undefined) throw new UsageFault(`The shell is one of ${Object.keys(scripts).join(', ')}`);
      session.terminal.data(`${script}\n`);
    },
  },
  {
    name: 'completion words',
    summary: 'Print the words that can follow on a command line',
    args: ['[1]', '[2]', '[3]', '[4]', '[5]', '[6]', '[7]', '[8]', '[9]'],
    async run(session, input) {
      const line = Array.from({ length: 9 }, (_, at) => input.optionalArg(`${at + 1}`));
      const words = candidates(
        all(),
        line.filter((word) => word !== undefined),
      );
      if (words.length > 0) session.terminal.data(`${words.join('\n')}\n`);
    },
  },
];
