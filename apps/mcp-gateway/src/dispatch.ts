import { type AccountRateClass, didYouMean } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { version } from '@lensforge/edge';
import { NeedsAnswers, type Tool, type ToolClient, type ToolResult, refuseWithoutPermission } from '@lensforge/tools';
import { readClient } from './client.js';
import {
  type JsonRpcReply,
  type JsonRpcRequest,
  type Perform,
  RpcFault,
  codes,
  errorReply,
  readId,
  readRequest,
  resultReply,
} from './json-rpc.js';
import { type RepeatedHeaders, checkModern } from './modern-request.js';
import { complete, getPrompt, listPrompts } from './prompts.js';
import { listResources, listTemplates, readResource } from './resources.js';
import { type Era, legacyVersions, metaKeys, protocolVersions, tasksExtension } from './protocol.js';
import { runTasks } from './tasks/run-tasks.js';
import { toInputRequests, toNewTask, taskMethods } from './tasks/task-methods.js';
import type { Tasks } from './tasks/task.js';
import { type CallRecord, type CountCall, callTool } from './tool-calls.js';

export interface MessageOptions {
  readonly era: Era;
  readonly repeated?: RepeatedHeaders;
  /** Aborted when the client has disconnected or cancelled the request. */
  readonly signal?: AbortSignal;
  /** The session id of the client; it is only logged. */
  readonly session?: string;
  readonly count?: CountCall;
  /** Gives the request more time than usual; absent over stdio, which has no limit. */
  readonly allowTime?: (ms: number) => void;
}

export interface Answer {
  /** Absent when the message needs no reply. */
  readonly reply?: JsonRpcReply | JsonRpcReply[];
  /** The reason why the whole message was refused, for transports with status codes. */
  readonly refused?: 'malformed' | 'unknown method';
}

/** Handles one message or batch, independent of the transport. */
export type Dispatch = (ctx: Context, message: unknown, options: MessageOptions) => Promise<Answer>;

export interface DispatchOptions {
  readonly tools: readonly Tool[];
  /** The tasks of these tools. */
  readonly tasks?: Tasks;
  readonly onFault: (error: unknown, ctx: Context) => void;
  readonly onCall?: (record: CallRecord) => void;
}

type Method = (ctx: Context, params: JsonRpcRequest['params'], options: MessageOptions) => object | Promise<object>;

const maxBatchSize = 20;

/** The number of calls that a body counts as: the messages of its batch, or one for a batch that is too large. */
export const callsIn = (body: unknown): number =>
  Array.isArray(body) && body.length <= maxBatchSize ? Math.max(1, body.length) : 1;

const serverInfo = { name: 'lensforge', title: 'Lensforge', version };
const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
const modernCapabilities = { ...capabilities, extensions: { [tasksExtension]: {} } };
const instructions =
  'Lensforge stores lenses: versioned prompt templates with named parameters. Find one with search_lenses or ' +
  'list_lenses, or let find_and_run_lens choose; run_lens puts values into it and answers a resolved_prompt, which is ' +
  'for you to carry out: none of these tools calls a model for a lens, except execute_lens of the toolset extra. Failures come as results with isError and a text ' +
  '{"error":{"code","message","details"}} that says what to change.';
/** Both change only with a release; a credential sees the tools that it may call. */
const caching = { ttlMs: 300_000, cacheScope: 'public' };
const cachingOfTools = { ...caching, cacheScope: 'private' };
const cacheable: readonly string[] = ['prompts/list', 'resources/list', 'resources/templates/list', 'resources/read'];
const cachingOfReads = { ttlMs: 0, cacheScope: 'private' };

export function createDispatch({ tools, tasks = runTasks, onFault, onCall }: DispatchOptions): Dispatch {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  const list: Method = ({ actor }, { cursor }) => {
    if (cursor !== undefined)
      throw new RpcFault(codes.invalidParams, 'params.cursor is not valid: all tools are on one page');
    return { tools: tools.filter((tool) => !refuseWithoutPermission(actor, tool)).map(({ listed }) => listed) };
  };
  const call = (
    ctx: Context,
    { tool, args, client }: { tool: Tool; args: unknown; client?: ToolClient },
    { signal, session, count, allowTime }: MessageOptions,
  ): Promise<ToolResult> =>
    callTool(ctx, tool, args, {
      ...(signal && { signal }),
      ...(session && { session }),
      ...(count && { count }),
      ...(allowTime && { allowTime }),
      ...(client && { client }),
      ...(onCall && { onCall }),
    });
  const callIn = ({ name, arguments: args = {} }: JsonRpcRequest['params']): { tool: Tool; args: unknown } => {
    const tool = typeof name === 'string' ? byName.get(name) : undefined;
    if (!tool) throw new RpcFault(codes.invalidParams, noTool(name, byName.keys()));
    return { tool, args };
  };
  const legacyCall: Method = (ctx, params, options) => call(ctx, callIn(params), options);
  /** Clients of the stateless revisions get a task for work that goes on, and forms for what is missing, if they take them. */
  const modernCall: Method = async (ctx, params, options) => {
    const { tool, args } = callIn(params);
    const client = readClient(params);
    const result = await call(ctx, { tool, args, client }, options);
    if (result instanceof NeedsAnswers)
      return completed({ resultType: 'input_required', inputRequests: toInputRequests(result.forms) });
    const taskId = client.acceptsTasks && !result.isError && tool.toTaskId?.(result.structuredContent ?? {});
    return taskId ? completed(toNewTask(await tasks.read(ctx, taskId, client))) : completed(result);
  };

  /** A request beside the tools, counted in its rate class; a list has one page. */
  const counted =
    (rate: AccountRateClass, perform: Perform): Method =>
    async (ctx, params, { count }) => {
      if (rate === 'list' && params['cursor'] !== undefined)
        throw new RpcFault(codes.invalidParams, 'params.cursor is not valid: all items are on one page');
      const exceeded = await count?.(rate);
      if (exceeded)
        throw new RpcFault(
          codes.invalidRequest,
          `More than ${exceeded.limit} requests of the rate class ${rate} in a minute; try again in ${exceeded.retryAfter} s`,
        );
      return perform(ctx, params);
    };
  const reads: Readonly<Record<string, Method>> = {
    'prompts/list': counted('list', listPrompts),
    'prompts/get': counted('read', getPrompt),
    'completion/complete': counted('read', complete),
    'resources/list': counted('list', listResources),
    'resources/templates/list': counted('list', listTemplates),
    'resources/read': counted('read', readResource),
  };
  const ofTasks = Object.entries(taskMethods(tasks)).map(
    ([name, { rate, perform }]) => [name, counted(rate, perform)] as const,
  );
  /** The lists and contents of the stateless revisions say how long they may be kept. */
  const asModern =
    (name: string, method: Method): Method =>
    async (ctx, params, options) =>
      completed({ ...(await method(ctx, params, options)), ...(cacheable.includes(name) && cachingOfReads) });

  const methods: Readonly<Record<Era, Readonly<Record<string, Method>>>> = {
    legacy: {
      initialize: (_ctx, { protocolVersion }) => ({
        protocolVersion: legacyVersions.find((known) => known === protocolVersion) ?? legacyVersions[0],
        capabilities,
        serverInfo,
        instructions,
      }),
      ping: () => ({}),
      'tools/list': list,
      'tools/call': legacyCall,
      ...reads,
    },
    modern: {
      'server/discover': () =>
        completed({
          supportedVersions: protocolVersions,
          capabilities: modernCapabilities,
          instructions,
          ...caching,
        }),
      'tools/list': async (ctx, params, options) =>
        completed({ ...(await list(ctx, params, options)), ...cachingOfTools }),
      'tools/call': modernCall,
      ...Object.fromEntries(
        [...ofTasks, ...Object.entries(reads)].map(([name, method]) => [name, asModern(name, method)]),
      ),
    },
  };

  const answer = async (ctx: Context, message: unknown, options: MessageOptions): Promise<Answer> => {
    try {
      const request = readRequest(message);
      if (options.era === 'modern') checkModern(request, message, options.repeated);
      if (request?.id === undefined) return {};
      const known = methods[options.era];
      const method = Object.hasOwn(known, request.method) ? known[request.method] : undefined;
      if (!method) return { reply: errorReply(request.id, noMethod(request.method, known)), refused: 'unknown method' };
      return { reply: resultReply(request.id, await method(ctx, request.params, options)) };
    } catch (error) {
      if (error instanceof RpcFault) {
        return { reply: errorReply(readId(message), error), ...(error.malformed && { refused: 'malformed' }) };
      }
      if (error instanceof DomainError && error.code !== 'INTERNAL' && error.code !== 'UNAVAILABLE')
        return { reply: errorReply(readId(message), { code: codes.invalidParams, message: error.message }) };
      onFault(error, ctx);
      return { reply: errorReply(readId(message), fault) };
    }
  };

  return async (ctx, message, options) => {
    if (!Array.isArray(message)) return answer(ctx, message, options);
    if (options.era === 'modern') return refusedBatch('This revision of the protocol has no batches: send one message');
    if (message.length === 0 || message.length > maxBatchSize) {
      return refusedBatch(`A batch has 1 to ${maxBatchSize} messages`);
    }
    const replies: JsonRpcReply[] = [];
    for (const each of message) {
      if (options.signal?.aborted) break;
      const { reply } = await answer(ctx, each, options);
      if (reply) replies.push(...[reply].flat());
    }
    return replies.length > 0 ? { reply: replies } : {};
  };
}

const noMethod = (name: string, known: object) => ({
  code: codes.methodNotFound,
  message: `There is no method ${quoted(name)}; the methods are ${Object.keys(known).join(', ')}`,
});

function noTool(name: unknown, known: Iterable<string>): string {
  if (name === undefined) return 'params.name is required: the name of a tool, as tools/list gives it';
  if (typeof name !== 'string') return 'params.name must be a string: the name of a tool, as tools/list gives it';
  const hint = didYouMean(name, known) || '; tools/list gives the names of all';
  return `params.name: there is no tool ${quoted(name)}${hint}`;
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 60).toWellFormed());

const fault = { code: codes.internalError, message: 'An internal error of the server; try again' };

const completed = (result: object): object => ({
  resultType: 'complete',
  ...result,
  _meta: { ...('_meta' in result && (result._meta as object)), [metaKeys.serverInfo]: serverInfo },
});

const refusedBatch = (message: string): Answer => ({
  reply: errorReply(null, { code: codes.invalidRequest, message }),
  refused: 'malformed',
});
