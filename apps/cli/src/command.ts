import type { Session } from './session.js';

export interface OptionSpec {
  /** The name of its value in help; a flag without one. */
  value?: string;
  /** True when it can be given several times. */
  repeated?: boolean;
  /** A single letter, such as `f` for -f. */
  short?: string;
  /** The values that it can have. */
  oneOf?: readonly string[];
  summary: string;
}

export interface Command {
  /** One or two words, such as `lens run`. */
  name: string;
  summary: string;
  /** Names of arguments; those in brackets are optional: `id`, `[to]`. */
  args?: readonly string[];
  options?: Readonly<Record<string, OptionSpec>>;
  run: (session: Session, input: Input) => Promise<void>;
}

type Values = ReadonlyMap<string, readonly string[]>;

/** The parsed arguments and options of a command. */
export class Input {
  constructor(
    private readonly args: Values,
    private readonly options: Values,
  ) {}

  /** A required argument. */
  arg(name: string): string {
    return this.args.get(name)?.[0] ?? '';
  }

  optionalArg(name: string): string | undefined {
    return this.args.get(name)?.[0];
  }

  text(name: string): string | undefined {
    return this.options.get(name)?.at(-1);
  }

  list(name: string): readonly string[] {
    return this.options.get(name) ?? [];
  }

  flag(name: string): boolean {
    return this.options.has(name);
  }
}

export const limitOption = {
  limit: { value: 'number', summary: 'the maximum number of items (30)' },
} as const satisfies Record<string, OptionSpec>;

export const globalOptions: Readonly<Record<string, OptionSpec>> = {
  json: { summary: 'print the data as JSON' },
  jq: { value: 'selection', summary: 'print a part of the JSON, such as .[].id' },
  profile: { value: 'name', summary: 'use this profile (LENSFORGE_PROFILE)' },
  'api-url': { value: 'url', summary: 'use this address of the REST API (LENSFORGE_API_URL)' },
  help: { short: 'h', summary: 'describe the command' },
};
