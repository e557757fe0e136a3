import { HttpFault, NeedsCredential, Platform, RateLimits, getRateLimitSubject } from '@lensforge/edge';
import { type Tool, type ToolSelection, groupNames, isToolset, selectTools, toolsetNames } from '@lensforge/tools';
import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asSseEvent, wantsEventStream } from './accept.js';
import { recordCalls } from './call-metrics.js';
import { type Answer, type Dispatch, type MessageOptions, callsIn, createDispatch } from './dispatch.js';
import type { McpEnvironment } from './environment.js';
import { codes, errorReply } from './json-rpc.js';
import { isAllowedHost, isAllowedOrigin } from './origin.js';
import { type Era, detectEra, isLegacy, legacyVersions, protocolVersions } from './protocol.js';
import type { Tasks } from './tasks/task.js';
import type { CountCall } from './tool-calls.js';

export const servedTools = Symbol('the tools that are served');
export const servedTasks = Symbol('the tasks of these tools');

/** Invalid JSON is answered with a JSON-RPC error, every other refused request with the REST envelope. */
const refusal = ({ status, message }: HttpFault): object | undefined =>
  status === 400 ? errorReply(null, { code: codes.parseError, message: `Parse error: ${message}` }) : undefined;

@Controller('mcp')
export class McpController {
  private readonly dispatchFor: (selection: ToolSelection) => Dispatch;
  private readonly origins: readonly string[];
  private readonly hosts: readonly string[];

  constructor(
    { environment, logger, metrics }: Platform<McpEnvironment>,
    @Inject(servedTools) tools: readonly Tool[],
    @Inject(servedTasks) tasks: Tasks,
    private readonly limits: RateLimits,
  ) {
    const onCall = recordCalls({ logger, metrics });
    const always = splitList(environment.LENSFORGE_MCP_TOOLSETS).filter(isToolset);
    this.dispatchFor = perSelection((selection) =>
      createDispatch({
        tools: selectTools(tools, {
          ...selection,
          sets: toolsetNames.filter((name) => always.includes(name) || selection.sets.includes(name)),
        }),
        tasks,
        onFault: (err, { requestId }) => logger.error({ err, requestId }, 'a message could not be handled'),
        onCall,
      }),
    );
    this.origins = splitList(environment.LENSFORGE_MCP_ALLOWED_ORIGINS);
    this.hosts = environment.knownHosts;
  }

  @All()
  @NeedsCredential({ rate: 'mcp', per: 'credential', cost: callsIn }, { refusal })
  async any(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.method !== 'POST') throw postOnly(request.method);
    this.checkOriginAndHost(request);
    const { caller } = request;
    if (!caller) throw new Error('the request has no caller');
    const { headers, body } = request;
    const version = firstValue(headers['mcp-protocol-version']);
    const era = detectEra(body, version);
    if (era === 'legacy' && version !== undefined && !isLegacy(version)) {
      await reply.code(400).send(errorReply(null, unknownVersion));
      return;
    }
    const payer = getRateLimitSubject(caller.actor, request);
    const count: CountCall = (rate) => this.limits.tryCount(rate, payer);
    const selection = readSelection(request);
    if (typeof selection === 'string') {
      await reply.code(400).send(errorReply(null, { code: codes.invalidRequest, message: selection }));
      return;
    }
    const dispatch = this.dispatchFor(selection);
    const allowTime = (ms: number): void => request.allowTime?.(ms);
    const answer = await dispatch(caller, body, { ...messageOptions(request, reply, era, version), count, allowTime });
    if (!request.timedOut) await send(reply, answer, era, wantsEventStream(headers.accept));
  }

  private checkOriginAndHost({ headers: { origin, host } }: FastifyRequest): void {
    if (!isAllowedOrigin(origin, this.origins))
      throw new HttpFault(
        403,
        'forbidden',
        'This web origin may not call this server. The operator allows origins with LENSFORGE_MCP_ALLOWED_ORIGINS',
      );
    if (!isAllowedHost(host, this.hosts))
      throw new HttpFault(
        403,
        'forbidden',
        'The Host header names another server. The operator sets the host names of this one with LENSFORGE_PUBLIC_HOSTS',
      );
  }
}

/** The dispatch for the selection of each request. */
function perSelection(create: (selection: ToolSelection) => Dispatch): (selection: ToolSelection) => Dispatch {
  const known = new Map<string, Dispatch>();
  return (selection) => {
    const key = JSON.stringify(selection);
    const dispatch = known.get(key) ?? create(selection);
    known.set(key, dispatch);
    return dispatch;
  };
}

const named = (value: string | string[] = []): string[] => splitList([value].flat().join(','));

const catalogueAlone: ToolSelection = { groups: [], sets: [], readsOnly: false };

/** The tools that a request asks for: `toolset` names groups and sets, with commas between them; a text refuses it. */
function readSelection({ url, query }: FastifyRequest): ToolSelection | string {
  if (!url.includes('?')) return catalogueAlone;
  const { toolset, read_only: readOnly } = query as Record<string, string | string[] | undefined>;
  const asked = named(toolset);
  const groups = groupNames.filter((name) => asked.includes(name));
  const sets = toolsetNames.filter((name) => asked.includes(name));
  const unknown = asked.find((name) => ![...groupNames, ...toolsetNames].some((known) => known === name));
  if (unknown !== undefined) {
    const known = [...groupNames, ...toolsetNames].join(', ');
    return `There is no toolset ${JSON.stringify(unknown.slice(0, 60).toWellFormed())}: toolset is one of ${known}`;
  }
  const [flag, ...more] = named(readOnly);
  if (more.length > 0 || ![undefined, 'true', 'false'].includes(flag)) return 'read_only must be true or false';
  return { groups, sets, readsOnly: flag === 'true' };
}

function messageOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  era: Era,
  version: string | undefined,
): MessageOptions {
  const { headers } = request;
  const session = firstValue(headers['mcp-session-id']);
  return {
    era,
    repeated: { version, method: firstValue(headers['mcp-method']), name: firstValue(headers['mcp-name']) },
    signal: abortedOnClose(reply),
    ...(session !== undefined && /^[\x21-\x7e]{1,128}$/.test(session) && { session }),
  };
}

/** A signal that aborts when the client disconnects before its response was sent. */
function abortedOnClose({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function send(reply: FastifyReply, { reply: body, refused }: Answer, era: Era, asStream: boolean): Promise<void> {
  if (body === undefined) {
    await reply.code(202).send();
    return;
  }
  const status = toStatus(refused, era);
  if (asStream && status === 200) await reply.type('text/event-stream').send(asSseEvent(body));
  else await reply.code(status).send(body);
}

// Clients of the older revisions do not read JSON-RPC errors with a status other than 200.
const toStatus = (refused: Answer['refused'], era: Era): number => {
  if (refused === 'malformed') return 400;
  return refused === 'unknown method' && era === 'modern' ? 404 : 200;
};

const unknownVersion = {
  code: codes.invalidRequest,
  message: `This server speaks the protocol versions ${protocolVersions.join(', ')}; without the header MCP-Protocol-Version it is ${legacyVersions[2]}`,
};

const postOnly = (method: string): HttpFault =>
  new HttpFault(
    405,
    'method_not_allowed',
    `${method} is not possible on /mcp: this server has no streams and no sessions; use POST`,
    { headers: { allow: 'POST' } },
  );

const firstValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

export const splitList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
