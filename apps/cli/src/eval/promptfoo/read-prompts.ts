import type { shapes } from '@lensforge/sdk';
import { extname } from 'node:path';
import { convertBraces } from '../../braces.js';
import { type ConfigSource, type Path, isRecord, toList } from '../config-source.js';

export interface PromptArm {
  label: string;
  candidate: shapes.LensCandidate;
  /** The names of its variables. */
  variables: string[];
}

/** The prompts of a configuration as texts of lenses. `always` are the variables that every test has. */
export async function readPrompts(source: ConfigSource, always: ReadonlySet<string>): Promise<PromptArm[]> {
  const prompts: PromptArm[] = [];
  for (const [index, given] of toList(source.content['prompts']).entries()) {
    const path = ['prompts', index];
    const { text, label, file } = await readPrompt(source, given, path);
    for (const [part, each] of splitParts(text, file).entries()) {
      const arm = toArm(source, each, { path, label: label ?? `prompt ${prompts.length + 1}`, always });
      const name = part === 0 ? arm.label : `${arm.label} ${part + 1}`;
      prompts.push({
        ...arm,
        label: prompts.some((other) => other.label === name) ? `${name} (${prompts.length + 1})` : name,
      });
    }
  }
  return prompts;
}

interface Prompt {
  text: string;
  label?: string | undefined;
  file?: string | undefined;
}

const textFiles = ['.txt', '.md', '.json', '.yaml', '.yml', '.j2'];

async function readPrompt(source: ConfigSource, given: unknown, path: Path): Promise<Prompt> {
  const members = isRecord(given) ? given : {};
  const raw = typeof given === 'string' ? given : (members['raw'] ?? members['id']);
  const label = typeof members['label'] === 'string' ? members['label'] : undefined;
  if (typeof raw !== 'string') {
    source.refuse(path, 'is neither a text nor a file');
    return { text: '' };
  }
  const isFile = raw.startsWith('file://') || (!raw.includes('\n') && textFiles.includes(extname(raw)));
  if (!isFile) return { text: raw, label };
  if (!textFiles.includes(extname(raw)) || raw.includes('*')) {
    source.refuse(path, `${raw} is not a text: prompts that programs write are not taken`);
    return { text: '' };
  }
  return { text: await source.readFile(raw), label, file: raw };
}

/** A text file has several prompts between lines of three dashes. */
function splitParts(text: string, file: string | undefined): string[] {
  if (file === undefined) return [text];
  return /\.(txt|md)$/.test(file) ? text.split(/^---$/m).map((part) => part.trim()) : [text.trim()];
}

interface Place {
  path: Path;
  label: string;
  always: ReadonlySet<string>;
}

function toArm(source: ConfigSource, text: string, { path, label, always }: Place): PromptArm {
  const variables = new Set<string>();
  const convert = (part: string): string => convertTemplate(source, part, { path, always, variables });
  const messages = readMessages(text);
  const candidate = messages
    ? { messages: messages.map(({ role, content }) => ({ role, text: convert(content) })) }
    : { templateBody: convert(text) };
  return { label, candidate, variables: [...variables] };
}

const roles = ['system', 'user', 'assistant'] as const;
interface Message {
  role: (typeof roles)[number];
  content: string;
}

/** The messages of a prompt that is a JSON or YAML list of them. */
function readMessages(text: string): Message[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list = JSON.parse(text) as unknown;
    return Array.isArray(list) && list.every(isMessage) ? list : undefined;
  } catch {
    return undefined;
  }
}

const isMessage = (value: unknown): value is Message =>
  isRecord(value) && roles.some((role) => role === value['role']) && typeof value['content'] === 'string';

interface Conversion {
  path: Path;
  always: ReadonlySet<string>;
  variables: Set<string>;
}

/** {{name}} becomes [[name]], or [[name!]] if a test lacks it; anything else between braces is not taken. */
const convertTemplate = (source: ConfigSource, text: string, { path, always, variables }: Conversion): string =>
  convertBraces(text, {
    name: /^\w+$/,
    toTag: (name) => {
      variables.add(name);
      return always.has(name) ? `[[${name}]]` : `[[${name}!]]`;
    },
    refuse: (what, tag) =>
      source.refuse(
        path,
        what === 'statement'
          ? 'has a statement {% … %}, which lenses do not have'
          : `has ${tag}, and only names of variables are taken`,
      ),
  });
