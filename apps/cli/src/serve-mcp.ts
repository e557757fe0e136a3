import type { Session } from './session.js';
import { version } from './version.js';

type Members = Readonly<Record<string, unknown>>;
type Id = string | number;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

/** Codes of JSON-RPC; the last one is for what a server defines itself. */
const codes = { parseError: -32700, serverError: -32000 } as const;
const versionKey = 'io.modelcontextprotocol/protocolVersion';

const errorReply = (id: Id | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** A value of a header; other texts than visible ASCII are sent in Base64, as the protocol says. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** The lines of a stream, until it or the signal ends. */
export async function* readLines(
  input: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const parts = input[Symbol.asyncIterator]() as AsyncIterator<string | Uint8Array, undefined>;
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  aborted.catch(() => undefined);
  let rest = '';
  for (;;) {
    const { done, value } = await Promise.race([parts.next(), aborted]);
    rest += done ? decoder.decode() : typeof value === 'string' ? value : decoder.decode(value, { stream: true });
    const lines = rest.split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    yield* lines.filter((line) => line.trim() !== '');
    if (done) return;
  }
}

/** Passes the messages of a client on stdin to the tool-call server, one a line, and its replies to stdout. */
class McpBridge {
  /** The version that `initialize` agreed on; later versions name theirs in each request. */
  private agreedVersion: string | undefined;
  private readonly open = new Map<Id, AbortController>();

  constructor(private readonly session: Session) {}

  async serve(): Promise<void> {
    const { host, signal } = this.session;
    const pending = new Set<Promise<void>>();
    for await (const line of readLines(host.stdin, signal)) {
      const message = this.parsed(line);
      if (message === undefined) continue;
      const answered = this.forward(message, line).finally(() => pending.delete(answered));
      pending.add(answered);
      // The version of the session is known to all requests after this one.
      if (isMembers(message) && message['method'] === 'initialize') await answered;
    }
    await Promise.all(pending);
    signal.throwIfAborted();
  }

  private write(line: string): void {
    this.session.terminal.data(`${line}\n`);
  }

  private parsed(line: string): unknown {
    try {
      return JSON.parse(line) as unknown;
    } catch (error) {
      this.write(errorReply(null, codes.parseError, `Parse error: ${(error as Error).message}`));
      return undefined;
    }
  }

  private async forward(message: unknown, body: string): Promise<void> {
    const { method, params, id: given } = isMembers(message) ? message : {};
    if (method === 'notifications/cancelled' && isMembers(params) && isId(params['requestId'])) {
      // The server stops a request whose connection is closed.
      this.open.get(params['requestId'])?.abort();
      return;
    }
    const id = isId(given) ? given : undefined;
    const controller = new AbortController();
    if (id !== undefined) this.open.set(id, controller);
    try {
      const reply = await this.send(message, body, AbortSignal.any([controller.signal, this.session.signal]));
      if (reply === undefined) return;
      if (method === 'initialize') this.agreedVersion = versionIn(reply);
      this.write(JSON.stringify(reply));
    } catch (error) {
      if (controller.signal.aborted || this.session.signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      this.session.terminal.message(`error: ${text}`);
      if (id !== undefined) this.write(errorReply(id, codes.serverError, text));
    } finally {
      if (id !== undefined && this.open.get(id) === controller) this.open.delete(id);
    }
  }

  /** The reply to a message; undefined for a notification. */
  private async send(message: unknown, body: string, signal: AbortSignal): Promise<unknown> {
    const { mcpUrl } = this.session;
    const headers = {
      authorization: `Bearer ${await this.session.bearer()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': `lensforge-cli/${version}`,
      ...this.repeatedHeaders(message),
    };
    const response = await fetch(mcpUrl, { method: 'POST', headers, body, redirect: 'error', signal }).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        const { cause, message: text } = error as { cause?: { message?: string; code?: string }; message?: string };
        throw new Error(
          `${mcpUrl} cannot be reached: ${cause?.message || cause?.code || text}. Check LENSFORGE_MCP_URL`,
        );
      },
    );
    const text = await response.text();
    if (text === '' && response.ok) return undefined;
    const reply = jsonIn(text);
    if (isMembers(reply) && reply['jsonrpc'] === '2.0') return reply;
    throw new Error(describeRefusal(response, reply));
  }

  /** The headers in which the protocol repeats parts of a message. */
  private repeatedHeaders(message: unknown): Record<string, string> {
    const { method, params } = isMembers(message) ? message : {};
    const { _meta: meta, name } = isMembers(params) ? params : {};
    const claimed = isMembers(meta) ? meta[versionKey] : undefined;
    const named = typeof claimed === 'string' ? claimed : this.agreedVersion;
    return {
      ...(named !== undefined && { 'mcp-protocol-version': headerValue(named) }),
      ...(typeof method === 'string' && { 'mcp-method': headerValue(method) }),
      ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
    };
  }
}

function versionIn(reply: unknown): string | undefined {
  const result = isMembers(reply) ? reply['result'] : undefined;
  const agreed = isMembers(result) ? result['protocolVersion'] : undefined;
  return typeof agreed === 'string' ? agreed : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The message of a refusal outside of the protocol, such as that of a token. */
function describeRefusal(response: Response, reply: unknown): string {
  const error = isMembers(reply) && isMembers(reply['error']) ? reply['error'] : {};
  const why = typeof error['message'] === 'string' ? error['message'] : `the server answered ${response.status}`;
  const id = response.headers.get('x-request-id');
  const advice =
    response.status === 401
      ? '. Use an MCP, organisation or service token (LENSFORGE_API_KEY), or: lensforge login --web'
      : '';
  return `${why}${advice}${id === null ? '' : ` (request ${id})`}`;
}

/** Serves the tools of the platform to a client that starts this program. */
export const serveMcp = (session: Session): Promise<void> => new McpBridge(session).serve();
