import type { shapes } from '@lensforge/sdk';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageFault } from '../faults.js';
import type { Input } from '../input.js';
import { type LensDocument, readLensFile } from '../lens-file.js';
import { type Session, numberIn } from '../session.js';

/** An evaluation as its file and options say: which texts are tried, with which cases, and what is asked of them. */
export interface EvalPlan {
  lensId: string;
  /** The title of the candidate, or the id of the lens. */
  title: string;
  candidate: Pick<LensDocument, 'templateBody' | 'settings'> | undefined;
  /** The file or the id of the dataset. */
  dataset: string;
  tag: string | undefined;
  baseline: string | undefined;
  model: string | undefined;
  scorers: shapes.Scorer[];
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
  const file = path === undefined ? {} : await readEvalFile(session, path);
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
  if (dataset === undefined)
    throw new UsageFault('eval needs a dataset', 'Write --dataset <id, or a .csv, .ndjson or .json file>');
  const gatePath = input.text('gate');
  const gate = gatePath === undefined ? file.gate : await readYaml(session, gatePath);
  return {
    lensId,
    title: candidate?.title ?? lensId,
    candidate: candidate && { templateBody: candidate.templateBody, settings: candidate.settings },
    dataset,
    tag: text('tag'),
    baseline: text('baseline'),
    model: text('model'),
    scorers: (file.scorers as shapes.Scorer[] | undefined) ?? usualScorers,
    gate: gate as shapes.ExperimentGate | undefined,
    repetitions: numberIn(input, 'repeat', { min: 1 }) ?? optionalNumber(file.repetitions, 'repetitions'),
    budget: numberIn(input, 'budget') ?? optionalNumber(file.budget, 'budget'),
    concurrency: numberIn(input, 'concurrency', { min: 1 }) ?? optionalNumber(file.concurrency, 'concurrency'),
  };
}

/** Without scorers an answer must be what its case expects. */
const usualScorers: shapes.Scorer[] = [{ name: 'exact', kind: 'check', assertions: [{ type: 'equals' }] }];

export const isId = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text);

async function readEvalFile(session: Session, path: string): Promise<EvalFile> {
  const file = await readYaml(session, path);
  const unknown = Object.keys(file).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw new UsageFault(`${path}: ${unknown} is not known`, `Known are ${members.join(', ')}`);
  return file;
}

/** The members of a YAML or JSON file. */
async function readYaml(session: Session, path: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(await session.readText(path));
  } catch (error) {
    if (error instanceof UsageFault) throw error;
    throw new UsageFault(`${path} is not valid YAML: ${(error as Error).message.split('\n', 1)[0] ?? ''}`);
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content))
    return content as Record<string, unknown>;
  throw new UsageFault(`${path} must have members`, `Such as ${members.slice(0, 3).join(', ')}`);
}

function optionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new UsageFault(`${name} must be a text`);
}

function optionalNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  throw new UsageFault(`${name} must be a number`);
}
