import type { shapes } from '@lensforge/sdk';
import { type ConfigSource, isRecord } from '../config-source.js';
import { type PromptArm, readPrompts } from './read-prompts.js';
import { type ProviderArm, readProviders } from './read-providers.js';
import { type PlainTest, readTests } from './read-tests.js';

/** A configuration of promptfoo as the arms and cases of an experiment. */
export interface PromptfooPlan {
  title: string;
  arms: shapes.ExperimentArmRequest[];
  cases: shapes.DatasetCaseInput[];
}

const members = [
  ...['description', 'prompts', 'providers', 'targets', 'tests', 'defaultTest', 'scenarios'],
  // They concern the program that runs the tests, and change no verdict.
  ...[
    'evaluateOptions',
    'outputPath',
    'sharing',
    'commandLineOptions',
    'env',
    'tags',
    'metadata',
    'writeLatestResults',
    '$schema',
  ],
];

/** Converts a configuration. The parts that cannot be taken are noted in the source. */
export async function readPromptfoo(source: ConfigSource, model: string | undefined): Promise<PromptfooPlan> {
  for (const name of Object.keys(source.content)) if (!members.includes(name)) source.refuse([name], 'is not taken');
  const tests = await readTests(source);
  const always = new Set(
    Object.keys(tests[0]?.vars ?? {}).filter((name) => tests.every(({ vars }) => hasValue(vars[name]))),
  );
  const prompts = await readPrompts(source, always);
  const providers = readProviders(source, model);
  const used = new Set(prompts.flatMap(({ variables }) => variables));
  const { description } = source.content;
  return {
    title:
      typeof description === 'string' && description.trim() !== '' ? description.trim().slice(0, 150) : source.path,
    arms: prompts.flatMap((prompt) => providers.map((provider) => toArm(prompt, provider, providers.length > 1))),
    cases: tests.map((test, index) => toCase(test, index, used)),
  };
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function toArm({ label, candidate }: PromptArm, provider: ProviderArm, several: boolean): shapes.ExperimentArmRequest {
  const { model, sampling } = provider;
  return {
    name: (several ? `${label} / ${provider.label}` : label).slice(0, 100),
    candidate,
    ...(model !== undefined && { modelOverride: model }),
    ...(sampling && { sampling }),
  };
}

/** Variables that no prompt has are metadata, where assertions find them too. Without prompts all are parameters. */
export function toCase(
  { description, vars, assertions, metadata }: PlainTest,
  index: number,
  used: ReadonlySet<string> = new Set(Object.keys(vars)),
): shapes.DatasetCaseInput {
  const entries = Object.entries(vars);
  const others = Object.fromEntries(entries.filter(([name]) => !used.has(name)));
  const number = String(index + 1).padStart(4, '0');
  return {
    key: description === undefined ? number : `${number} ${description.replaceAll(/\s+/g, ' ').trim().slice(0, 150)}`,
    params: Object.fromEntries(
      entries.flatMap(([name, value]) => (used.has(name) && hasValue(value) ? [[name, toValue(value)]] : [])),
    ),
    metadata: { ...metadata, ...others },
    assertions,
  };
}

/** A value as a prompt shows it: lists with commas, objects as JSON. */
const toValue = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map((each) => (isRecord(each) ? JSON.stringify(each) : String(each))).join(',');
  return isRecord(value) && !isImage(value) ? JSON.stringify(value) : value;
};

/** True for the form in which a parameter is an image. */
const isImage = (value: Record<string, unknown>): boolean => Object.keys(value).join() === 'image';

/** True for a file of promptfoo. */
export const isPromptfoo = (content: unknown): boolean => isRecord(content) && content['prompts'] !== undefined;
