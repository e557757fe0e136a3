import type { Input } from './input.js';
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
