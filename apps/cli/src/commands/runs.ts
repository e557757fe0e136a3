import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { followRun, primaryText, printEvents } from '../follow-run.js';
import { fields, time } from '../layout.js';
import { printable } from '../terminal.js';
import { showAccepted } from './lens.js';

const statuses = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'] as const;

/** A number from 0 to 1. */
function readShare(name: string, text: string): number {
  const value = text === '' ? NaN : Number(text);
  if (!(value >= 0 && value <= 1)) throw new UsageFault(`${name} must be a number from 0 to 1`);
  return value;
}

const list: Command = {
  name: 'runs ls',
  summary: 'List your runs',
  options: {
    ...limitOption,
    status: { value: 'status', oneOf: statuses, repeated: true, summary: 'runs with this status; can be repeated' },
    lens: { value: 'id', summary: 'runs of this lens' },
    workflow: { value: 'id', summary: 'runs of this workflow' },
    tag: { value: 'tag', repeated: true, summary: 'runs with this tag; can be repeated' },
    error: { value: 'code', summary: 'runs that ended with this error code' },
    model: { value: 'key', summary: 'runs of this model' },
    text: { value: 'text', summary: 'runs with this text in their parameters or output' },
    score: { value: 'name', summary: 'runs with a score of this name' },
    'max-score': { value: 'number', summary: 'runs with a score of at most this, from 0 to 1' },
  },
  async run(session, input) {
    const maxScore = input.text('max-score');
    const [status, tag] = [input.list('status') as shapes.RunsQuery['status'], input.list('tag')];
    const query = {
      status,
      lensId: input.text('lens'),
      workflowId: input.text('workflow'),
      tag: [...tag],
      errorCode: input.text('error'),
      modelKey: input.text('model'),
      q: input.text('text'),
      scoreName: input.text('score'),
      maxScore: maxScore === undefined ? undefined : readShare('--max-score', maxScore),
    };
    await session.showList(
      (limit) => session.client.runs.list({ limit, ...query }, session.call),
      [
        ['id', ({ id }) => id],
        ['kind', ({ kind }) => kind],
        ['status', ({ status: each }) => each],
        ['model', ({ modelKey }) => modelKey],
        ['credits', ({ creditCost }) => creditCost],
        ['created', ({ createdAt }) => time(createdAt)],
        ['error', ({ errorCode }) => errorCode],
      ],
      'No run matches',
    );
  },
};

const get: Command = {
  name: 'runs get',
  summary: 'Show a run and its output',
  args: ['id'],
  async run(session, input) {
    const run = await session.client.runs.get(input.arg('id'), session.call);
    session.show(run, () =>
      [
        fields({
          id: run.id,
          kind: run.kind,
          status: run.status,
          lens: run.lensId ?? undefined,
          workflow: run.workflowId ?? undefined,
          label: run.label ?? undefined,
          arm: run.arm ?? undefined,
          model: run.modelKey ?? undefined,
          tokens: toTokens(run),
          credits: toCredits(run),
          'finish reason': run.finishReason ?? undefined,
          created: time(run.createdAt),
          completed: time(run.completedAt),
          error: run.errorCode ? `${run.errorCode} ${run.errorMessage ?? ''}` : undefined,
        }),
        ...(run.requiredAction?.calls ?? []).flatMap((call) => ['', waitingCall(call)]),
        ...(primaryText(run) === '' ? [] : ['', printable(primaryText(run))]),
      ].join('\n'),
    );
  },
};

const waitingCall = ({ callId, name, input, expiresAt }: shapes.RequiredCall): string =>
  fields({
    'waits for': printable(name),
    call: callId,
    input: printable(JSON.stringify(input)),
    until: time(expiresAt),
  });

function toTokens({ tokenInput, tokenOutput, tokenDetails }: shapes.PlatformRunStatus): string | undefined {
  if (tokenInput === null || tokenInput === undefined) return undefined;
  const kinds = tokenDetails
    ? ` (${tokenDetails.cachedInput} cached, ${tokenDetails.cacheWrite} written to the cache, ${tokenDetails.reasoning} reasoning)`
    : '';
  return `${tokenInput} in, ${tokenOutput ?? 0} out${kinds}`;
}

function toCredits({ creditCost, tokenDetails }: shapes.PlatformRunStatus): string | number | undefined {
  const saved = tokenDetails?.creditsSaved ?? 0;
  return saved === 0 ? (creditCost ?? undefined) : `${creditCost ?? 0} (${saved} saved by caches)`;
}

const scores: Command = {
  name: 'runs scores',
  summary: 'List the scores of a run',
  args: ['id'],
  options: limitOption,
  run: (session, input) =>
    session.showList(
      (limit) => session.client.runs.listScores(input.arg('id'), { limit }, session.call),
      [
        ['name', ({ name }) => name],
        ['score', ({ score }) => score],
        ['pass', ({ pass }) => (pass === null ? undefined : pass ? 'yes' : 'no')],
        ['source', ({ source }) => source],
        ['created', ({ createdAt }) => time(createdAt)],
        ['reason', ({ reason, error }) => error ?? reason],
      ],
      'The run has no scores',
    ),
};

const evaluations: Command = {
  name: 'runs evaluations',
  summary: 'Show what rules of evaluation have done with a run, and why',
  args: ['id'],
  options: limitOption,
  run: (session, input) =>
    session.showList(
      (limit) => session.client.runs.listEvaluations(input.arg('id'), { limit }, session.call),
      [
        ['rule', ({ rule }) => rule],
        ['state', ({ state }) => state],
        ['scores', ({ scores }) => scores.map(({ name, score }) => `${name} ${score ?? '-'}`).join(', ')],
        ['credits', ({ credits }) => credits],
        ['reason', ({ reason }) => reason],
      ],
      'No rule is about this lens or workflow',
    ),
};

const score: Command = {
  name: 'runs score',
  summary: 'Give a run a score from 0 to 1',
  args: ['id', 'name', 'score'],
  options: { comment: { value: 'text', summary: 'why' } },
  async run(session, input) {
    const value = readShare('score', input.arg('score'));
    const given = { name: input.arg('name'), score: value, comment: input.text('comment') };
    const stored = await session.client.runs.setScore(input.arg('id'), given, session.call);
    session.show(stored, () => `${stored.name} is ${stored.score}`);
  },
};

const watch: Command = {
  name: 'runs watch',
  summary: 'Follow a run to its end and print its output; exit code 5 when it fails',
  args: ['id'],
  run: (session, input) => followRun(session, input.arg('id')),
};

const answer: Command = {
  name: 'runs answer',
  summary: 'Give a run the result of a tool call that it waits for: JSON, or else a text',
  args: ['id', 'call', 'result'],
  options: { error: { summary: 'the result is the reason why there is none' } },
  async run(session, input) {
    const result = input.arg('result');
    const results = [
      { callId: input.arg('call'), ...(input.flag('error') ? { error: result } : { output: jsonOr(result) }) },
    ];
    const accepted = await session.client.runs.answerToolCalls(input.arg('id'), { results }, session.call);
    const left = accepted.requiredAction?.calls.length ?? 0;
    session.show(accepted, () => (left === 0 ? 'The run continues' : `The run waits for ${left} more`));
  },
};

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const cancel: Command = {
  name: 'runs cancel',
  summary: 'Cancel a run',
  args: ['id'],
  async run(session, input) {
    const run = await session.client.runs.cancel(input.arg('id'), session.call);
    session.show(run, () => `${run.runId} is ${run.status}`);
  },
};

const retry: Command = {
  name: 'runs retry',
  summary: 'Retry a run that did not succeed, as a new run',
  args: ['id'],
  options: {
    from: { value: 'part', oneOf: ['start', 'failed_nodes'], summary: 'the part of a workflow to repeat' },
    watch: { short: 'w', summary: 'wait for the end and print the output' },
  },
  async run(session, input) {
    const from = input.text('from') as shapes.RunRetryRequest['from'];
    const accepted = await session.client.runs.retry(input.arg('id'), from ? { from } : {}, session.call);
    await showAccepted(session, input, accepted);
  },
};

const logs: Command = {
  name: 'runs logs',
  summary: 'Print the events of a run; follows one that has not ended',
  args: ['id'],
  options: { after: { value: 'number', summary: 'begin after the event with this number' } },
  async run(session, input) {
    const lastEventId = input.text('after');
    const options = { ...session.call, ...(lastEventId !== undefined && { lastEventId }) };
    await printEvents(session, session.client.runs.events(input.arg('id'), {}, options));
  },
};

export const runCommands: readonly Command[] = [
  list,
  get,
  watch,
  answer,
  cancel,
  retry,
  logs,
  scores,
  score,
  evaluations,
];
