import { isTerminal } from '@lensforge/contracts';
import { type Context, DomainError, isUuid } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, HttpFault, NeedsCredential } from '@lensforge/edge';
import { type OpenAiRun, cancelRun, listOpenAiRuns, readOpenAiRun, readRun } from '@lensforge/runs';
import { All, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Model } from 'openai/resources/models';
import { readResult, toWaitingResult } from './answer-result.js';
import { AnswerFold } from './answer-fold.js';
import { ChatChunks, type ChatHead, createdAt, restOf, toCompletion } from './chat-form.js';
import { listTargets } from './list-targets.js';
import { readEmbeddings, readTexts, startEmbeddings } from './make-embeddings.js';
import { OpenAiAnswers, type OpenRequest } from './openai-answers.js';
import { readChatOrder, readIdempotencyKey, readResponseOrder } from './read-orders.js';
import { codeOf, refusal } from './refusal.js';
import { ChatRequest, EmbeddingsRequest, ResponseRequest, readRequest, refuse } from './requests.js';
import { ResponseEvents, type SentResponse, toResponse, toResponseError } from './response-form.js';
import type { StartedAnswer } from './start-answer.js';

/** The time for an answer as a whole, beyond the usual response timeout. */
const waitsMs = 593_000;
const answersIn = (body: unknown): number => {
  const n: unknown = typeof body === 'object' && body !== null && 'n' in body ? body.n : 1;
  return Number.isInteger(n) && Number(n) >= 1 && Number(n) <= 8 ? Number(n) : 1;
};
const forAccounts = { audience: 'accounts', per: 'account' } as const;

/** The API of OpenAI over the runs of the platform. */
@Controller('openai/v1')
export class OpenAiController {
  constructor(private readonly answers: OpenAiAnswers) {}

  @Post('chat/completions')
  @HttpCode(200)
  @NeedsCredential({ ...forAccounts, rate: 'execute', cost: answersIn }, { refusal, waitsMs })
  async chat(@Caller() ctx: Context, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = readRequest(ChatRequest, request.body);
    const order = await readChatOrder(ctx, body, readIdempotencyKey(request.headers['idempotency-key']));
    await this.answers.answer(ctx, reply, async (open) => {
      const started = await this.answers.start(ctx, reply, order, body.n);
      const head = chatHead(started[0]?.runId ?? '', body.model);
      if (body.stream)
        return this.streamChat(ctx, { open, started, head, withUsage: body.stream_options?.include_usage });
      return toCompletion(head, await Promise.all(started.map((each) => this.answers.wait(ctx, each, open.signal))));
    });
  }

  private async streamChat(
    ctx: Context,
    {
      open,
      started,
      head,
      withUsage = false,
    }: { open: OpenRequest; started: readonly StartedAnswer[]; head: ChatHead; withUsage?: boolean | undefined },
  ): Promise<undefined> {
    const stream = open.stream();
    const chunks = new ChatChunks(head, withUsage);
    try {
      const results = await Promise.all(
        started.map(async (each, index) => {
          stream.send(chunks.begin(index));
          let sent = '';
          const onText = (text: string): void => {
            sent += text;
            stream.send(chunks.text(index, text));
          };
          const result = await this.answers.follow(ctx, each, { onText, connection: stream, signal: open.signal });
          const rest = restOf(result.text, sent);
          if (rest !== '') stream.send(chunks.text(index, rest));
          if (result.calls.length > 0) stream.send(chunks.calls(index, result.calls));
          stream.send(chunks.end(index, result));
          return result;
        }),
      );
      if (withUsage) stream.send(chunks.usage(results));
      stream.finish();
    } catch (reason) {
      const fault = this.answers.faultOf(reason);
      if (fault) stream.fail(fault);
    }
    return undefined;
  }

  @Get('chat/completions/:id')
  @NeedsCredential({ ...forAccounts, rate: 'read' }, { refusal })
  async completion(@Caller() ctx: Context, @Param('id') id: string): Promise<object> {
    const run = await findRun(ctx, id, 'chat');
    const runIds = run.batchId === null ? [run.id] : await withDbRetry(() => listOpenAiRuns(ctx, run.batchId ?? ''));
    const results = await Promise.all(runIds.map((runId) => readResult(ctx, runId)));
    return toCompletion(chatHead(run.id, String(run.request['model'])), results);
  }

  @Post('responses')
  @HttpCode(200)
  @NeedsCredential({ ...forAccounts, rate: 'execute' }, { refusal, waitsMs })
  async respond(@Caller() ctx: Context, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = readRequest(ResponseRequest, request.body);
    const order = await readResponseOrder(ctx, body, readIdempotencyKey(request.headers['idempotency-key']));
    await this.answers.answer(ctx, reply, async (open) => {
      const [started] = await this.answers.start(ctx, reply, order);
      if (!started) throw new Error('no run was started');
      const run = await readOpenAiRun(ctx, started.runId);
      if (body.stream) return this.streamResponse(ctx, { open, started, run });
      if (body.background) return toResponse(run, run);
      const result = await this.answers.wait(ctx, started, open.signal);
      return toResponse(run, { status: 'succeeded', result });
    });
  }

  private async streamResponse(
    ctx: Context,
    { open, started, run, after = -1 }: { open: OpenRequest; started: StartedAnswer; run: OpenAiRun; after?: number },
  ): Promise<undefined> {
    const stream = open.stream();
    const events = new ResponseEvents(run, (event) => {
      if (event.sequence_number > after) stream.send(event, event.type);
    });
    events.begin();
    try {
      const onText = (text: string): void => events.add(text);
      const result = await this.answers.follow(ctx, started, { onText, connection: stream, signal: open.signal });
      events.end(result);
    } catch (reason) {
      const fault = this.answers.faultOf(reason);
      if (fault) await fail(ctx, run, events, fault);
    }
    stream.close();
    return undefined;
  }

  @Get('responses/:id')
  @NeedsCredential({ ...forAccounts, rate: 'read' }, { refusal })
  async response(
    @Caller() ctx: Context,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { stream, after } = readResumption(request.query as Record<string, unknown>);
    const run = await findRun(ctx, id, 'responses');
    if (!stream) {
      await reply.send(await readResponse(ctx, run));
      return;
    }
    await this.answers.answer(ctx, reply, (open) =>
      this.streamResponse(ctx, { open, started: toStarted(run), run, after }),
    );
  }

  @Post('responses/:id/cancel')
  @HttpCode(200)
  @NeedsCredential({ ...forAccounts, rate: 'write' }, { refusal })
  async cancel(@Caller() ctx: Context, @Param('id') id: string): Promise<object> {
    const run = await findRun(ctx, id, 'responses');
    if (!isTerminal(run.status)) await cancelRun(ctx, run.id);
    return readResponse(ctx, await findRun(ctx, id, 'responses'));
  }

  @Post('embeddings')
  @HttpCode(200)
  @NeedsCredential({ ...forAccounts, rate: 'execute' }, { refusal, waitsMs })
  async embeddings(@Caller() ctx: Context, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = readRequest(EmbeddingsRequest, request.body);
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    const texts = readTexts(body.input);
    await this.answers.answer(ctx, reply, async ({ signal }) => {
      const order = { texts, timeoutMs: this.answers.timeoutMs, idempotencyKey };
      const runId = await startEmbeddings(ctx, body, order);
      await this.answers.wait(ctx, { runId, isWorkflow: false, after: [] }, signal);
      return readEmbeddings(ctx, runId, body);
    });
  }

  @Get('models')
  @NeedsCredential({ ...forAccounts, rate: 'list' }, { refusal })
  async models(@Caller() ctx: Context): Promise<{ object: 'list'; data: Model[] }> {
    return { object: 'list', data: await readFromReplica(ctx, (ctx) => listTargets(ctx)) };
  }

  /** The name of a lens or model has a slash. */
  @Get('models/*')
  @NeedsCredential({ ...forAccounts, rate: 'list' }, { refusal })
  async model(@Caller() ctx: Context, @Req() request: FastifyRequest): Promise<Model> {
    const { '*': name = '' } = request.params as Record<string, string>;
    const found = (await readFromReplica(ctx, (ctx) => listTargets(ctx))).find(({ id }) => id === name);
    if (!found)
      throw new DomainError('NOT_FOUND', `There is no model ${name.slice(0, 100)}: GET /openai/v1/models lists yours`);
    return found;
  }

  /** Paths of OpenAI that the platform does not have. */
  @All('*')
  @NeedsCredential({ ...forAccounts, rate: 'read' }, { refusal })
  unknown(@Req() { method }: FastifyRequest): never {
    const paths = 'chat/completions, responses, embeddings and models';
    throw new HttpFault(
      404,
      'not_found',
      `There is no such ${method} here: this platform has ${paths} of OpenAI's API`,
    );
  }
}

const chatHead = (id: string, model: string): ChatHead => ({ id, created: createdAt(id), model });

async function findRun(ctx: Context, id: string, api: string): Promise<OpenAiRun> {
  const run = isUuid(id) ? await withDbRetry(() => readOpenAiRun(ctx, id)) : undefined;
  if (run?.request['api'] === api) return run;
  throw new DomainError('NOT_FOUND', `There is no ${api === 'chat' ? 'chat completion' : 'response'} with this id`);
}

/** A run that goes on after results of tools answers with what follows them. */
const toStarted = ({ id, kind, openCalls, lastCalls }: OpenAiRun): StartedAnswer => ({
  runId: id,
  isWorkflow: kind === 'workflow',
  after: openCalls === 0 ? (lastCalls ?? []).map(({ callId }) => callId) : [],
});

async function readResponse(ctx: Context, run: OpenAiRun): Promise<SentResponse> {
  const { status, ...more } = await readRun(ctx, run.id);
  if (status === 'succeeded') {
    return toResponse(run, { status, result: await readResult(ctx, run.id) });
  }
  const calls = more.requiredAction?.calls ?? [];
  const result =
    calls.length > 0 ? await toWaitingResult(ctx, run.id, { calls, fold: new AnswerFold(false) }) : undefined;
  return toResponse(run, { status, result, error: toResponseError({ status, ...more }) });
}

/** Ends the events of a run that has ended without an answer, or of one that cannot be followed. */
async function fail(ctx: Context, run: OpenAiRun, events: ResponseEvents, fault: HttpFault): Promise<void> {
  const found = await readRun(ctx, run.id).catch(() => undefined);
  if (found && isTerminal(found.status) && found.status !== 'succeeded')
    events.fail(found.status, toResponseError(found));
  else events.error(codeOf(fault), fault.message);
}

function readResumption({ stream, starting_after: after = '-1', ...others }: Record<string, unknown>): {
  stream: boolean;
  after: number;
} {
  const [other] = Object.keys(others).filter((name) => !/^include(\[\]|_obfuscation)?$/.test(name));
  if (other !== undefined)
    throw refuse(other.slice(0, 40), 'is not a known parameter; known are stream and starting_after');
  if (typeof after !== 'string' || !/^-?\d{1,9}$/.test(after))
    throw refuse('starting_after', 'must be the number of an event');
  return { stream: stream === 'true', after: Number(after) };
}
