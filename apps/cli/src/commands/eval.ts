import { ApiError, type shapes } from '@lensforge/sdk';
import { type EvalPlan, readPlan } from '../eval/read-plan.js';
import { type Report, writeMarkdown, writeText } from '../eval/report.js';
import { syncDataset } from '../eval/sync-dataset.js';
import { CommandFault, GateInconclusive, RunNotSucceeded, UsageFault } from '../faults.js';
import type { Command } from '../command.js';
import type { Input } from '../input.js';
import { type Session, numberIn } from '../session.js';

const evaluate: Command = {
  name: 'eval',
  summary: 'Try a lens with the cases of a dataset; exit code 0 passed, 1 failed, 6 inconclusive, 5 not made',
  options: {
    file: {
      value: 'path',
      short: 'f',
      summary: 'a YAML file with candidate, dataset, baseline, scorers and gate, or a promptfooconfig.yaml',
    },
    lens: { value: 'id', summary: 'the lens; that of the candidate file when absent' },
    candidate: { value: 'path', summary: 'the file of a lens whose text is tried; callers keep what they have' },
    dataset: { value: 'id or path', summary: 'a dataset, or a .csv, .ndjson or .json file with cases' },
    tag: { value: 'tag', summary: 'only cases with this tag' },
    partial: { summary: 'leave out the parts of a promptfooconfig.yaml that cannot be taken' },
    baseline: { value: 'version', summary: 'the version or label to compare with, such as production' },
    model: { value: 'model', summary: 'the model in place of that of the lens' },
    judge: { value: 'model', summary: 'the model that decides llm-rubric and others in a promptfooconfig.yaml' },
    gate: { value: 'path', summary: 'a file with the rules of the gate' },
    repeat: { value: 'number', summary: 'how often each case is answered (1)' },
    budget: { value: 'credits', summary: 'the most that all answers may cost' },
    concurrency: { value: 'number', summary: 'the most answers at a time (25)' },
    record: { value: 'path', summary: 'write all calls of the runs to models, addresses and tools to a file' },
    replay: { value: 'path', summary: 'answer these calls from such a file, at no cost; a call that it lacks fails' },
    cache: { value: 'seconds', summary: 'take earlier answers to exactly the same calls, up to this age' },
    batch: {
      value: 'seconds',
      summary: 'ask by batch services, at half the price; after so many seconds the rest is asked live',
    },
    junit: { value: 'path', summary: 'write the results as JUnit XML' },
    out: { value: 'path', summary: 'write the results as JSON' },
    comment: { value: 'path', summary: 'write a comment in Markdown, for a pull request' },
  },
  run: tryPlan,
};

async function tryPlan(session: Session, input: Input): Promise<void> {
  const plan = await readPlan(session, input);
  const calls = await readCalls(session, input, plan);
  const id = await createExperiment(session, plan, calls).catch(async (error: unknown) => {
    if (calls.cache === 'replay') await session.client.recordings.remove(calls.recordingId ?? '', session.call);
    throw error;
  });
  const experiment = await followExperiment(session, id);
  await writeRecording(session, input, experiment);
  const report = await readReport(session, experiment);
  await writeFiles(session, input, report);
  session.show(experiment, () => writeText(report));
  decide(report);
}

type Calls = Pick<
  shapes.ExperimentRequest,
  'cache' | 'recordingId' | 'maxAgeSeconds' | 'service' | 'completeWithinSeconds'
>;

/** How the calls of the runs are answered. */
async function readCalls(session: Session, input: Input, { title }: EvalPlan): Promise<Calls> {
  const { client, call } = session;
  const [record, replay] = [input.text('record'), input.text('replay')];
  const maxAgeSeconds = numberIn(input, 'cache', { min: 1 });
  if ([record, replay, maxAgeSeconds].filter((given) => given !== undefined).length > 1) {
    throw new UsageFault('Only one of --record, --replay and --cache can be given', 'Write one of them');
  }
  const completeWithinSeconds = numberIn(input, 'batch', { min: 60 });
  const service = completeWithinSeconds === undefined ? {} : { service: 'batch' as const, completeWithinSeconds };
  if (maxAgeSeconds !== undefined) return { cache: 'read', maxAgeSeconds, ...service };
  if (record !== undefined) return { cache: 'record', ...service };
  if (replay === undefined) return service;
  const { id } = await client.recordings.import({ name: title, content: await session.readText(replay) }, call);
  return { cache: 'replay', recordingId: id, ...service };
}

/** Writes the file of a recording; one that was replayed is removed from the platform. */
async function writeRecording(
  session: Session,
  input: Input,
  { cache, recordingId }: shapes.Experiment,
): Promise<void> {
  const { client, call } = session;
  if (recordingId === null) return;
  const path = input.text('record');
  if (path !== undefined)
    await session.writeText(path, await (await client.recordings.export(recordingId, call)).text());
  if (cache === 'replay') await client.recordings.remove(recordingId, call);
}

/** Creates the experiment; a refusal means that it could not be made. */
async function createExperiment(session: Session, plan: EvalPlan, calls: Calls): Promise<string> {
  const { client, call } = session;
  try {
    const lensId = plan.lensId ?? (await findHolder(session, plan.title));
    const dataset = await syncDataset(session, { ...plan, lensId });
    const names = await readScorerNames(session, plan);
    const { id } = await client.experiments.create({ ...toRequest(plan, { lensId, dataset, names }), ...calls }, call);
    session.terminal.progress(`experiment ${id}`);
    return id;
  } catch (error) {
    if (!(error instanceof ApiError) || !refusals.includes(error.status)) throw error;
    throw new RunNotSucceeded(
      `The experiment could not be made: ${error.message}`,
      'Correct what is named, and try again',
    );
  }
}

async function readScorerNames({ client, call }: Session, { scorers, storedScorers }: EvalPlan): Promise<string[]> {
  const stored = await Promise.all(storedScorers.map(({ id }) => client.scorers.get(id, {}, call)));
  return [...scorers, ...stored].map(({ name }) => name);
}

const refusals: readonly unknown[] = [400, 404, 409, 422];

/** The private draft that the texts of a file are tried as candidates of. */
async function findHolder({ client, call }: Session, name: string): Promise<string> {
  const title = `eval: ${name}`.slice(0, 200);
  for await (const lens of client.lenses.list({ q: title, limit: 50 }, call)) if (lens.title === title) return lens.id;
  const templateBody = 'Holds the candidates of an evaluation, which lensforge eval tries. It is not executed itself.';
  const request = { title, templateBody, visibility: 'private', status: 'draft' } as const;
  return (await client.lenses.create(request, call)).id;
}

function toRequest(
  { title, arms, baseline, scorers, storedScorers, gate, repetitions, budget, concurrency, tag }: EvalPlan,
  { lensId, dataset, names }: { lensId: string; dataset: { id: string; revision?: number }; names: string[] },
): shapes.ExperimentRequest {
  return {
    name: baseline === undefined ? title : `${title} against ${baseline}`.slice(0, 200),
    target: { lensId },
    arms,
    dataset: { ...dataset, ...(tag !== undefined && { tag }) },
    scorers,
    ...(storedScorers.length > 0 && { storedScorers }),
    ...(baseline !== undefined && { baseline }),
    ...(repetitions !== undefined && { repetitions }),
    ...(budget !== undefined && { budget }),
    ...(concurrency !== undefined && { concurrency }),
    ...toGate(gate, baseline, names),
  };
}

/** Without a gate no score may be lost against the baseline. */
function toGate(
  gate: shapes.ExperimentGate | undefined,
  baseline: string | undefined,
  scorers: readonly string[],
): { gate?: shapes.ExperimentGate } {
  if (gate) return { gate };
  if (baseline === undefined) return {};
  return { gate: { rules: scorers.map((scorer) => ({ scorer, noProvenLoss: {} })) } };
}

/** Short experiments are looked at more often. */
const polls = { leastMs: 50, mostMs: 1000, growth: 1.4 };

/** Waits for the end of an experiment; Ctrl-C cancels it. */
async function followExperiment(session: Session, id: string): Promise<shapes.Experiment> {
  const { client, terminal, signal } = session;
  let shown = -1;
  let waitMs = polls.leastMs;
  for (;;) {
    const experiment = await client.experiments.get(id, session.call).catch(async (error: unknown) => {
      if (signal.aborted) await client.experiments.cancel(id).catch(() => undefined);
      throw error;
    });
    if (experiment.completedAt !== null) return experiment;
    const { cells, cellsDone, credits } = experiment;
    if (cellsDone !== shown) terminal.progress(`${cellsDone} of ${cells} answers, ${credits} credits`);
    shown = cellsDone;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * polls.growth, polls.mostMs);
  }
}

const maxShown = 10;

async function readReport({ client, call, apiUrl }: Session, experiment: shapes.Experiment): Promise<Report> {
  const { id, baseline } = experiment;
  const url = `${apiUrl}/console/experiments/${id}`;
  const only = baseline === null ? 'failed' : 'worse';
  const cells: shapes.ExperimentCell[] = [];
  const query = { only, limit: maxShown + 1 } as const;
  for await (const cell of client.experiments.listCells(id, query, call)) {
    cells.push(cell);
    if (cells.length > maxShown) break;
  }
  return { experiment, cells: cells.slice(0, maxShown), hasMore: cells.length > maxShown, url };
}

async function writeFiles(session: Session, input: Input, report: Report): Promise<void> {
  const [junit, out, comment] = ['junit', 'out', 'comment'].map((name) => input.text(name));
  if (junit !== undefined) {
    const response = await session.client.experiments.export(report.experiment.id, { format: 'junit' }, session.call);
    await session.writeText(junit, await response.text());
  }
  if (out !== undefined) await session.writeText(out, `${JSON.stringify(report.experiment, null, 2)}\n`);
  if (comment !== undefined) await session.writeText(comment, writeMarkdown(report));
}

/** Throws unless the gate has passed, or each answer passes where there is none. */
function decide({ experiment, cells }: Report): void {
  const { id, status, reason, outcome } = experiment;
  const look = `See the answers: lensforge api GET /v1/experiments/${id}/cells`;
  if (status !== 'completed')
    throw new RunNotSucceeded(`The experiment is ${status}${reason === null ? '' : `: ${reason}`}`, look);
  if (outcome?.result === 'inconclusive') {
    throw new GateInconclusive('The gate is inconclusive', 'Add cases, or answer each more often with --repeat');
  }
  if (outcome?.result === 'failed') throw new CommandFault('The gate has failed', look);
  if (!outcome && cells.length > 0) throw new CommandFault('Not every answer passes', look);
}

const test: Command = {
  ...evaluate,
  name: 'test',
  summary: 'Do the same as eval from a recorded file alone: no keys, no cost, no calls to the outside',
  async run(session, input) {
    if (input.text('replay') === undefined) {
      throw new UsageFault(
        'test needs a recording',
        'Write --replay <path>, after eval --record <path> has made the file',
      );
    }
    await tryPlan(session, input);
  },
};

export const evalCommands: readonly Command[] = [evaluate, test];
