import { type JsonRpcRequest, RpcFault, codes, invalid, isRecord } from './json-rpc.js';
import { metaKeys, readMeta, modernVersions, protocolVersions } from './protocol.js';

/** The headers that repeat parts of a message, for intermediaries that do not read the body. */
export interface RepeatedHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * Validates a request of the stateless revisions in the order of the official SDKs. A transport without headers passes no
 * `repeated`.
 */
export function checkModern(request: JsonRpcRequest | undefined, message: unknown, repeated?: RepeatedHeaders): void {
  if (!request) throw invalid('this server accepts no responses');
  if (request.id === undefined) return;
  const meta = readMeta(message);
  checkVersion(meta?.[metaKeys.version], repeated?.version);
  checkEnvelope(meta);
  if (repeated) checkRepeatedHeaders(request, repeated);
}

function checkVersion(claimed: unknown, named: string | undefined): void {
  if (typeof claimed === 'string' && named !== undefined && claimed !== named) {
    throw mismatch(`MCP-Protocol-Version is ${named}, but _meta claims ${claimed}`);
  }
  const requested = typeof claimed === 'string' ? claimed : named;
  if (requested === undefined || (modernVersions as readonly string[]).includes(requested)) return;
  throw new RpcFault(
    codes.unsupportedVersion,
    `The protocol version ${requested.slice(0, 40)} is not supported; supported are ${protocolVersions.join(', ')}`,
    { supported: protocolVersions, requested: requested.slice(0, 40) },
    true,
  );
}

function checkEnvelope(meta: Readonly<Record<string, unknown>> | undefined): void {
  const missing = [
    ...(typeof meta?.[metaKeys.version] === 'string' ? [] : [metaKeys.version]),
    ...(isRecord(meta?.[metaKeys.capabilities]) ? [] : [metaKeys.capabilities]),
  ];
  if (missing.length === 0) return;
  throw new RpcFault(codes.invalidParams, `params._meta lacks ${missing.join(' and ')}`, { missing }, true);
}

function checkRepeatedHeaders({ method, params }: JsonRpcRequest, repeated: RepeatedHeaders): void {
  if (repeated.version === undefined) throw mismatch('The header MCP-Protocol-Version is missing');
  if (repeated.method === undefined) throw mismatch('The header Mcp-Method is missing');
  if (repeated.method !== method) throw mismatch('The header Mcp-Method differs from the method of the body');
  const member = namedBy[method];
  const name = member === undefined ? undefined : params[member];
  if (typeof name !== 'string') return;
  if (repeated.name === undefined) throw mismatch('The header Mcp-Name is missing');
  if (decoded(repeated.name) !== name) throw mismatch(`The header Mcp-Name differs from params.${member} of the body`);
}

/** The members that the header Mcp-Name repeats. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Decodes a name that was sent as Base64 because it is not a valid header value. */
function decoded(header: string): string {
  const [, base64] = encoded.exec(header) ?? [];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString('utf8');
}

const mismatch = (why: string): RpcFault =>
  new RpcFault(codes.headerMismatch, `Header mismatch: ${why}`, undefined, true);
