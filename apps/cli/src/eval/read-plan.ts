import type { shapes } from '@lensforge/sdk';
import { dirname, isAbsolute, join } from 'node:path';
import { RunNotSucceeded, UsageFault } from '../faults.js';
import type { Input } from '../input.js';
import { readLensFile } from '../lens-file.js';
import { type Session, numberIn } from '../session.js';
import { ConfigSource } from './config-source.js';
import { isPromptfoo, readPromptfoo } from './promptfoo/read-promptfoo.js';

/** An evaluation as its file and options say: which texts are tried, with which cases, and what is asked of them. */
export interface EvalPlan {
  title: string;
  /** undefined: a lens of the title holds the texts that are tried. */
  lensId: string | undefined;
  arms: shapes.ExperimentArmRequest[];
  baseline: string | undefined;
  /** A file, the id of a dataset, or the cases themselves. */
  dataset: string | shapes.DatasetCaseInput[];
  tag: string | undefined;
  scorers: shapes.Scorer[];
  storedScorers: shapes.ScorerReference[];
  gate: shapes.ExperimentGate | undefined;
  repetitions: number | undefined;
  budget: number | undefined;
  concurrency: number | undefined;
}

/** The file of an evaluation. Paths in it are relative to it. */
interface EvalFile {
  lens?: unknown;
  candidate?: unknown;
  dataset?: unknown;
  tag?: unknown;
  baseline?: unknown;
  model?: unknown;
  scorers?: unknown;
  gate?: unknown;
  repetitions?: unknown;
  budget?: unknown;
  concurrency?: unknown;
}

const members = [
  ...['lens', 'candidate', 'dataset', 'tag', 'baseline', 'model', 'scorers', 'gate'],
  ...['repetitions', 'budget', 'concurrency'],
];

/** Reads the plan; options of the command come before members of the file. */
export async function readPlan(session: Session, input: Input): Promise<EvalPlan> {
  const path = input.text('file');
  const text = path === undefined ? '' : await session.readText(path);
  const source = path === undefined ? undefined : await ConfigSource.open(path, text, session);
  const gatePath = input.text('gate');
  const gate = gatePath === undefined ? undefined : await readYaml(session, gatePath);
  if (source && isPromptfoo(source.content)) return readPromptfooPlan(source, input, gate);
  return readOwnPlan(session, input, { path, file: source === undefined ? {} : checkMembers(source), gate });
}

interface OwnFile {
  path: string | undefined;
  file: EvalFile;
  gate: Record<string, unknown> | undefined;
}

async function readOwnPlan(session: Session, input: Input, { path, file, gate }: OwnFile): Promise<EvalPlan> {
  const besideFile = (name: string): string =>
    path === undefined || path === '-' || isAbsolute(name) ? name : join(dirname(path), name);
  const text = (name: keyof EvalFile): string | undefined => input.text(name) ?? optionalText(file[name], name);
  const inFile = (name: 'candidate' | 'dataset'): string | undefined => {
    const given = optionalText(file[name], name);
    return input.text(name) ?? (given === undefined || isId(given) ? given : besideFile(given));
  };
  const candidatePath = inFile('candidate');
  const candidate =
    candidatePath === undefined ? undefined : await readLensFile(await session.readText(candidatePath), candidatePath);
  const lensId = text('lens') ?? candidate?.id;
  if (lensId === undefined) {
    throw candidatePath === undefined
      ? new UsageFault('eval needs a lens', 'Write --lens <id>, or --candidate <file> with the file of a lens')
      : new UsageFault(`${candidatePath} has no id`, `Create its lens once: lensforge lens apply ${candidatePath}`);
  }
  const dataset = inFile('dataset');
  if (dataset === undefined) {
    throw new UsageFault('eval needs a dataset', 'Write --dataset <id, or a .csv, .ndjson or .json file>');
  }
  const [baseline, model] = [text('baseline'), text('model')];
  const override = model === undefined ? {} : { modelOverride: model };
  const { templateBody, settings } = candidate ?? {};
  const tried = {
    name: candidateArm,
    ...override,
    ...(templateBody !== undefined && { candidate: { templateBody, ...(settings !== undefined && { settings }) } }),
  };
  return {
    title: candidate?.title ?? lensId,
    lensId,
    arms: baseline === undefined ? [tried] : [{ name: baseline, version: baseline, ...override }, tried],
    baseline,
    dataset,
    tag: text('tag'),
    ...readScorers(file.scorers),
    gate: (gate ?? file.gate) as shapes.ExperimentGate | undefined,
    ...readLimits(input, file),
  };
}

/** The name of the arm that is compared with the baseline. */
const candidateArm = 'candidate';

/** Refuses a configuration with parts that cannot be taken, unless they may be left out. */
export function requireTaken(source: ConfigSource, input: Input): void {
  if (source.untaken.length === 0 || input.flag('partial')) return;
  const lines = source.untaken.map(({ where, what }) => `  ${where}: ${what}`);
  throw new RunNotSucceeded(
    [`${source.path} has parts that cannot be taken:`, ...lines].join('\n'),
    'Remove them, or leave them out with --partial',
  );
}

/** The plan of a configuration of promptfoo, unless parts of it cannot be taken. */
async function readPromptfooPlan(
  source: ConfigSource,
  input: Input,
  gate: Record<string, unknown> | undefined,
): Promise<EvalPlan> {
  const judge = input.text('judge');
  source.hasJudge = judge !== undefined;
  const { title, arms, cases } = await readPromptfoo(source, input.text('model'));
  requireTaken(source, input);
  return {
    title,
    lensId: input.text('lens'),
    arms,
    baseline: input.text('baseline'),
    dataset: cases,
    tag: undefined,
    scorers: [{ name: 'tests', kind: 'check', assertions: [], ...(judge !== undefined && { model: judge }) }],
    storedScorers: [],
    gate: gate as shapes.ExperimentGate | undefined,
    ...readLimits(input, {}),
  };
}

const readLimits = (input: Input, file: EvalFile): Pick<EvalPlan, 'repetitions' | 'budget' | 'concurrency'> => ({
  repetitions: numberIn(input, 'repeat', { min: 1 }) ?? optionalNumber(file.repetitions, 'repetitions'),
  budget: numberIn(input, 'budget') ?? optionalNumber(file.budget, 'budget'),
  concurrency: numberIn(input, 'concurrency', { min: 1 }) ?? optionalNumber(file.concurrency, 'concurrency'),
});

/** Scorers of the file; those with an id are stored ones. */
function readScorers(given: unknown): Pick<EvalPlan, 'scorers' | 'storedScorers'> {
  if (given === undefined) return { scorers: usualScorers, storedScorers: [] };
  if (!Array.isArray(given))
    throw new UsageFault('scorers must be a list', 'Write - name: ..., or - id: ... of a stored one');
  const isStored = (each: unknown): boolean => typeof each === 'object' && each !== null && 'id' in each;
  return {
    scorers: given.filter((each) => !isStored(each)) as shapes.Scorer[],
    storedScorers: given.filter(isStored) as shapes.ScorerReference[],
  };
}

/** Without scorers an answer must be what its case expects. */
const usualScorers: shapes.Scorer[] = [{ name: 'exact', kind: 'check', assertions: [{ type: 'equals' }] }];

export const isId = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text);

function checkMembers({ path, content }: ConfigSource): EvalFile {
  const unknown = Object.keys(content).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw new UsageFault(`${path}: ${unknown} is not known`, `Known are ${members.join(', ')}`);
  return content;
}

/** The members of a YAML or JSON file. */
const readYaml = async (session: Session, path: string): Promise<Record<string, unknown>> =>
  (await ConfigSource.open(path, await session.readText(path), session)).content;

function optionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new UsageFault(`${name} must be a text`);
}

function optionalNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  throw new UsageFault(`${name} must be a number`);
}
