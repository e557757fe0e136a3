import type { Context } from '@lensforge/core';

export type JsonRpcId = string | number;

export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}

export type JsonRpcReply =
  | { jsonrpc: '2.0'; id: JsonRpcId; result: object }
  | { jsonrpc: '2.0'; id: JsonRpcId | null; error: JsonRpcError };

/** An error that is answered as a JSON-RPC error. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    /** True when the message is not a valid request of its protocol revision. */
    readonly malformed = false,
  ) {
    super(message);
  }
}

export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export const resultReply = (id: JsonRpcId, result: object): JsonRpcReply => ({ jsonrpc: '2.0', id, result });

export const errorReply = (id: JsonRpcId | null, { code, message, data }: JsonRpcError): JsonRpcReply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});

export interface JsonRpcRequest {
  /** Undefined for a notification. */
  id: JsonRpcId | undefined;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** Performs a request, and gives its result. */
export type Perform = (ctx: Context, params: JsonRpcRequest['params']) => object | Promise<object>;

/** Reads a request or notification; undefined for a response, which the server ignores. */
export function readRequest(message: unknown): JsonRpcRequest | undefined {
  if (!isRecord(message) || message['jsonrpc'] !== '2.0')
    throw invalid('a message must be an object with "jsonrpc": "2.0"');
  const { id, method, params = {} } = message;
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string') throw invalid('method must be a string');
  if (id !== undefined && typeof id !== 'string' && !isFiniteNumber(id))
    throw invalid('id must be a string or a number');
  if (!isRecord(params)) throw new RpcFault(codes.invalidParams, 'params must be an object');
  return { id, method, params };
}

/** The id of a message, also of one that is otherwise invalid. */
export function readId(message: unknown): JsonRpcId | null {
  const id = isRecord(message) ? message['id'] : undefined;
  return typeof id === 'string' || isFiniteNumber(id) ? id : null;
}

export const invalid = (why: string): RpcFault =>
  new RpcFault(codes.invalidRequest, `Invalid request: ${why}`, undefined, true);

// 1e400 is read as Infinity, which JSON cannot represent.
const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
