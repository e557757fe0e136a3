import { newId } from '@lensforge/core';
import { type Rates, computeCost } from '@lensforge/models';
import { pick } from './random.js';
import type { SampleLens } from './sample-lenses.js';

export interface SampleModel extends Rates {
  id: string;
}

export interface SampleWorkflow {
  workflowId: string;
  versionId: string;
}

export interface PastRunSources {
  now: Date;
  random: () => number;
  accountId: string;
  lenses: readonly SampleLens[];
  /** Free and paid ones. */
  models: readonly SampleModel[];
}

type EndStatus = 'succeeded' | 'failed' | 'canceled' | 'timed_out';

/** Rows as they are stored, by table; the members have the names of columns. */
export interface PastRows {
  runs: Record<string, unknown>[];
  events: Record<string, unknown>[];
  artifacts: Record<string, unknown>[];
  nodes: Record<string, unknown>[];
  waits: Record<string, unknown>[];
  /** The ledger entries of the runs. */
  entries: { amount: number; kind: 'hold' | 'capture' | 'release'; [column: string]: unknown }[];
}

const dayMs = 86_400_000;
/** The runs of the first and of the last day; the days between grow evenly. */
const perDay = { first: 5, last: 16 };
const days = 30;

/** A UUIDv7 of a time in the past; lists and partitions of runs go by the time of the id. */
export function idAt(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
}

export const emptyRows = (): PastRows => ({ runs: [], events: [], artifacts: [], nodes: [], waits: [], entries: [] });

/** Collects the events of a run, with their times. */
class Story {
  readonly events: Record<string, unknown>[] = [];

  constructor(private readonly runId: string) {}

  add(ms: number, type: string, payload: object): void {
    const sequence = this.events.length + 1;
    this.events.push({ run_id: this.runId, sequence, type, payload, occurred_at: new Date(ms).toISOString() });
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Faults that runs end with: common ones of providers. */
const faults = [
  { code: 'PROVIDER_UNAVAILABLE', message: 'The provider answered 503 three times: the model is overloaded.' },
  { code: 'PROVIDER_LIMITED', message: 'The provider answered 429: 60 requests a minute are allowed.' },
  { code: 'OUTPUT_NOT_VALID', message: 'The answer does not match the schema: severity is missing.' },
] as const;

function drawEnd(random: () => number): EndStatus {
  const drawn = random();
  if (drawn < 0.88) return 'succeeded';
  if (drawn < 0.955) return 'failed';
  return drawn < 0.98 ? 'canceled' : 'timed_out';
}

/** Times within a month, more on later days and during the hours of work. */
export function pastTimes({ now, random }: Pick<PastRunSources, 'now' | 'random'>): number[] {
  const times: number[] = [];
  for (let day = days; day >= 1; day -= 1) {
    const wanted = perDay.first + ((perDay.last - perDay.first) * (days - day)) / (days - 1);
    const count = Math.round(wanted * (0.6 + 0.8 * random()));
    for (let n = 0; n < count; n += 1) {
      const hours = 24 * (0.5 + (random() + random() + random() - 1.5) / 2.6);
      times.push(now.getTime() - day * dayMs + hours * 3_600_000);
    }
  }
  // The newest ones end before the start, since what follows them is real.
  return times.filter((ms) => ms < now.getTime() - 300_000).sort((a, b) => a - b);
}

interface Costs {
  hold: number;
  cost: number;
}

/** Adds a lens run that began at a time in the past, with all that a worker would have written. */
export function addLensRun(rows: PastRows, at: number, { random, accountId, lenses, models }: PastRunSources): void {
  const lens = pick(random, lenses);
  const model = pick(random, models);
  const status = drawEnd(random);
  const sample = Math.floor(random() * lens.params.length);
  const text = lens.answers[sample % lens.answers.length] ?? '';
  const id = idAt(at);
  const started = at + 20 + random() * 200;
  const took = status === 'timed_out' ? 120_000 : 700 + random() ** 3 * 14_000;
  const ended = started + took;
  const tokenInput = 300 + Math.round(random() * 2200);
  const tokenOutput = status === 'succeeded' ? Math.round(text.length / 4) + Math.round(random() * 400) : 0;
  const cost = status === 'succeeded' ? computeCost(model, { input: tokenInput, output: tokenOutput }) : 0;
  const hold = computeCost(model, { input: tokenInput, output: 4096 });
  const story = new Story(id);
  story.add(at, 'run.queued', { kind: 'lens', generation: 0 });
  if (hold > 0) story.add(at, 'credits.reserved', { amount: hold });
  story.add(started, 'run.started', { attempt: 1 });
  if (status === 'succeeded') addOutput(rows, story, { id, text, started, ended });
  endStory(story, status, { ended, took, costs: { hold, cost }, tokens: { tokenInput, tokenOutput }, random });
  addEntries(rows, { id, accountId, at, ended, costs: { hold, cost } });
  const fault = findFault(story);
  rows.events.push(...story.events);
  rows.runs.push({
    ...runRow({ id, accountId, at, started, ended, status, sequence: story.events.length }),
    kind: 'lens',
    lens_id: lens.lensId,
    lens_version_id: lens.versionIds.at(random() < 0.7 ? -1 : -2) ?? lens.versionIds[0],
    params: lens.params[sample],
    model_id: model.id,
    funding_source: 'platform_credit',
    tags: random() < 0.25 ? [pick(random, ['nightly', 'import', 'evaluation'])] : [],
    token_input: status === 'succeeded' ? tokenInput : null,
    token_output: status === 'succeeded' ? tokenOutput : null,
    model_calls: 1,
    credit_hold: hold,
    credit_cost: cost,
    billing_status: cost > 0 ? 'charged' : hold > 0 ? 'released' : 'none',
    ...fault,
  });
}

const runRow = (run: {
  id: string;
  accountId: string;
  at: number;
  started: number;
  ended: number;
  status: EndStatus;
  sequence: number;
}): Record<string, unknown> => ({
  id: run.id,
  request_id: idAt(run.at),
  account_id: run.accountId,
  status: run.status,
  metadata: { sample: true },
  attempt: 1,
  last_sequence: run.sequence,
  deadline_at: iso(run.at + 3_600_000),
  created_at: iso(run.at),
  queued_at: iso(run.at),
  order_at: iso(run.at),
  admitted_at: iso(run.at),
  started_at: iso(run.started),
  completed_at: iso(run.ended),
});

function addOutput(
  rows: PastRows,
  story: Story,
  { id, text, started, ended }: { id: string; text: string; started: number; ended: number },
): void {
  const half = text.indexOf(' ', text.length / 2);
  const pieces = half > 0 ? [text.slice(0, half), text.slice(half)] : [text];
  for (const [at, piece] of pieces.entries()) {
    const ms = started + ((ended - started) * (at + 1)) / (pieces.length + 1);
    story.add(ms, 'node.output.delta', { nodeId: 'lens', text: piece });
  }
  const artifactId = idAt(ended);
  story.add(ended, 'artifact.created', { artifactId, artifactKind: 'text', isPrimaryOutput: true });
  rows.artifacts.push({
    id: artifactId,
    run_id: id,
    kind: 'text',
    content_text: text,
    is_primary_output: true,
    created_at: iso(ended),
  });
}

interface Ending {
  ended: number;
  took: number;
  costs: Costs;
  tokens: { tokenInput: number | null; tokenOutput: number | null };
  random: () => number;
}

function endStory(story: Story, status: EndStatus, { ended, took, costs, tokens, random }: Ending): void {
  const { hold, cost } = costs;
  if (cost > 0) story.add(ended, 'credits.charged', { amount: cost });
  if (hold > cost) story.add(ended, 'credits.released', { amount: hold - cost });
  if (status === 'succeeded') {
    story.add(ended, 'run.succeeded', { latencyMs: Math.round(took), ...tokens, creditCost: cost });
  } else if (status === 'failed') {
    const { code, message } = pick(random, faults);
    story.add(ended, 'run.failed', { errorCode: code, errorMessage: message });
  } else {
    const reason = status === 'canceled' ? 'The caller canceled the run' : 'The run took longer than its time limit';
    story.add(ended, `run.${status}`, { reason });
  }
}

/** The fault of the run is that of its last event. */
function findFault({ events }: Story): { error_code: string | null; error_message: string | null } {
  const last = events.at(-1);
  const { errorCode, errorMessage } = (last?.['payload'] ?? {}) as { errorCode?: string; errorMessage?: string };
  if (last?.['type'] === 'run.timed_out') {
    return { error_code: 'RUN_TIMED_OUT', error_message: 'The run took longer than its time limit' };
  }
  return { error_code: errorCode ?? null, error_message: errorMessage ?? null };
}

function addEntries(
  rows: PastRows,
  { id, accountId, at, ended, costs }: { id: string; accountId: string; at: number; ended: number; costs: Costs },
): void {
  const { hold, cost } = costs;
  const base = { account_id: accountId, run_id: id };
  const entry = (kind: 'hold' | 'capture' | 'release', ms: number, amount: number, debit: string, credit: string) => {
    if (amount > 0) rows.entries.push({ ...base, id: idAt(ms), kind, amount, debit, credit, created_at: iso(ms) });
  };
  entry('hold', at, hold, 'available', 'held');
  if (hold === 0) return;
  entry('capture', ended, cost, 'held', 'revenue');
  entry('release', ended, hold - cost, 'held', 'available');
}

export interface DigestRunSources {
  random: () => number;
  accountId: string;
  workflow: SampleWorkflow;
  inputs: Readonly<Record<string, unknown>>;
  text: string;
}

interface Digest {
  id: string;
  approvalId: string;
  artifactId: string;
  isApproved: boolean;
  text: string;
  /** The answer of the approval. */
  answer: { decision: string; by: string; comment: null; data: null };
  started: number;
  drafted: number;
  decided: number;
  ended: number;
}

const rejection = { code: 'APPROVAL_REJECTED', message: 'The approval was rejected' };

/** Adds a run of the digest workflow: a lens with a free model, an approval, and the text that was approved. */
export function addDigestRun(rows: PastRows, at: number, sources: DigestRunSources): void {
  const { random, accountId, workflow, inputs, text } = sources;
  const isApproved = random() < 0.85;
  const started = at + 30 + random() * 100;
  const drafted = started + 900 + random() * 3000;
  const decided = drafted + 60_000 + random() * 5_400_000;
  const ended = decided + 80;
  const answer = { decision: isApproved ? 'approved' : 'rejected', by: accountId, comment: null, data: null };
  const ids = { id: idAt(at), approvalId: idAt(drafted), artifactId: idAt(ended) };
  const digest: Digest = { ...ids, isApproved, text, answer, started, drafted, decided, ended };
  const story = tellDigest(digest, at);
  addDigestNodes(rows, digest);
  rows.events.push(...story.events);
  const status = isApproved ? 'succeeded' : 'failed';
  rows.runs.push({
    ...runRow({ id: digest.id, accountId, at, started, ended, status, sequence: story.events.length }),
    kind: 'workflow',
    workflow_id: workflow.workflowId,
    workflow_version_id: workflow.versionId,
    params: inputs,
    deadline_at: iso(at + 8 * dayMs),
    tags: ['weekly'],
    token_input: 180,
    token_output: 60,
    model_calls: 1,
    credit_hold: 0,
    credit_cost: 0,
    billing_status: 'none',
    ...findFault(story),
  });
}

function tellDigest({ isApproved, text, answer, approvalId, artifactId, ...times }: Digest, at: number): Story {
  const { started, drafted, decided, ended } = times;
  const story = new Story(times.id);
  story.add(at, 'run.queued', { kind: 'workflow', generation: 0 });
  story.add(started, 'run.started', { attempt: 1 });
  story.add(started, 'node.queued', { nodeId: 'draft' });
  story.add(started + 10, 'node.started', { nodeId: 'draft', attempt: 1 });
  story.add(drafted - 200, 'node.output.delta', { nodeId: 'draft', text });
  story.add(drafted, 'node.succeeded', { nodeId: 'draft', output: { text } });
  story.add(drafted, 'node.waiting', { nodeId: 'ask', type: 'approval', until: iso(drafted + 7 * dayMs) });
  story.add(drafted, 'approval.requested', { nodeId: 'ask', approvalId, message: digestQuestion });
  story.add(decided, 'approval.resolved', { nodeId: 'ask', approvalId, decision: answer.decision });
  if (isApproved) {
    story.add(decided, 'node.succeeded', { nodeId: 'ask', output: answer });
    story.add(ended, 'node.succeeded', { nodeId: 'publish', output: { text } });
    story.add(ended, 'artifact.created', { artifactId, artifactKind: 'json', isPrimaryOutput: true });
    const tokens = { tokenInput: 180, tokenOutput: 60 };
    story.add(ended, 'run.succeeded', { latencyMs: Math.round(ended - started), ...tokens, creditCost: 0 });
  } else {
    const fault = { errorCode: rejection.code, errorMessage: rejection.message };
    story.add(decided, 'node.failed', { nodeId: 'ask', ...fault });
    story.add(ended, 'run.failed', fault);
  }
  return story;
}

/** Adds the nodes of a digest, its approval and its result. */
function addDigestNodes(rows: PastRows, digest: Digest): void {
  const { id, approvalId, isApproved, text, answer, started, drafted, decided, ended } = digest;
  const node = (key: string, type: string, at: number): Record<string, unknown> => ({
    run_id: id,
    generation: 0,
    attempt: 1,
    queued_at: iso(started),
    started_at: iso(at),
    node_key: key,
    node_id: key,
    type,
    status: 'succeeded',
  });
  const ask = { ...node('ask', 'approval', drafted), completed_at: iso(decided) };
  rows.nodes.push(
    {
      ...node('draft', 'lens', started + 10),
      output: { text },
      live: ['0'],
      model_calls: 1,
      completed_at: iso(drafted),
    },
    isApproved ? { ...ask, output: answer, live: ['1'] } : { ...ask, status: 'failed', error: rejection },
  );
  rows.waits.push({
    run_id: id,
    id: approvalId,
    node_key: 'ask',
    kind: 'approval',
    message: digestQuestion,
    requested_at: iso(drafted),
    expires_at: iso(drafted + 7 * dayMs),
    decision: answer.decision,
    answered_by: answer.by,
    answered_at: iso(decided),
  });
  if (!isApproved) return;
  const publish = node('publish', 'transform', decided);
  rows.nodes.push({ ...publish, output: { text }, live: [], completed_at: iso(ended) });
  rows.artifacts.push({
    id: digest.artifactId,
    run_id: id,
    kind: 'json',
    content_json: { text },
    is_primary_output: true,
    created_at: iso(ended),
  });
}

export const digestQuestion = 'Send this digest to the team?';
