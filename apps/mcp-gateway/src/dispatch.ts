import type { Context } from '@lensforge/core';
import { version } from '@lensforge/edge';
import type { Tool } from './catalogue.js';
import type { JsonRpcReply, JsonRpcRequest } from './json-rpc.js';
import { RpcFault, codes, errorReply, idOf, readRequest, resultReply } from './json-rpc.js';

/** Newest first. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const mostInBatch = 20;

type Method = (ctx: Context, params: JsonRpcRequest['params']) => object | Promise<object>;

/** What a message is answered with; undefined when nothing is to be said. Knows nothing of HTTP or stdio. */
export type Dispatch = (ctx: Context, message: unknown) => Promise<JsonRpcReply | JsonRpcReply[] | undefined>;

export function createDispatch(tools: readonly Tool[], onFault: (error: unknown) => void): Dispatch {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = { tools: tools.map((tool) => tool.listed) };

  const methods: Readonly<Record<string, Method>> = {
    initialize: (_ctx, { protocolVersion }) => ({
      protocolVersion: protocolVersions.find((known) => known === protocolVersion) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'lensforge', title: 'Lensforge', version },
    }),
    ping: () => ({}),
    'tools/list': (_ctx, { cursor }) => {
      if (cursor !== undefined) throw new RpcFault(codes.invalidParams, 'cursor: all tools are on one page');
      return listed;
    },
    'tools/call': (ctx, { name, arguments: args = {} }) => {
      const tool = typeof name === 'string' ? byName.get(name) : undefined;
      if (!tool)
        throw new RpcFault(codes.invalidParams, 'name: there is no such tool; tools/list names those there are');
      return tool.call(ctx, args);
    },
  };

  const answer = async (ctx: Context, message: unknown): Promise<JsonRpcReply | undefined> => {
    try {
      const request = readRequest(message);
      if (request?.id === undefined) return undefined;
      const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      if (!method) throw new RpcFault(codes.methodNotFound, 'There is no such method');
      return resultReply(request.id, await method(ctx, request.params));
    } catch (error) {
      if (error instanceof RpcFault) return errorReply(idOf(message), error);
      onFault(error);
      return errorReply(idOf(message), { code: codes.internalError, message: 'Something went wrong on our side' });
    }
  };

  return async (ctx, message) => {
    if (!Array.isArray(message)) return answer(ctx, message);
    if (message.length === 0 || message.length > mostInBatch) {
      return errorReply(null, { code: codes.invalidRequest, message: `A batch has 1 to ${mostInBatch} messages` });
    }
    const replies: JsonRpcReply[] = [];
    for (const each of message) {
      const reply = await answer(ctx, each);
      if (reply) replies.push(reply);
    }
    return replies.length > 0 ? replies : undefined;
  };
}
