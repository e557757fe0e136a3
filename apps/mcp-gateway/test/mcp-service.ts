import { accountRateClasses } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type Service, createLogger, startService } from '@lensforge/edge';
import { actingAs, aToken, anAccount } from '@lensforge/identity/testing';
import { type FreshDatabase, aContext, freshDatabase, freshRedisPrefix, serviceSettings } from '@lensforge/testing';
import { type Tool, tools as catalogue } from '@lensforge/tools';
import { mcpGatewayWith } from '../src/service.js';
import type { Tasks } from '../src/tasks/task.js';

/** Limits that no test reaches unless it sets lower ones. */
const highRates = Object.fromEntries(
  ['mcp', 'unauthenticated', ...accountRateClasses].map((rate) => [
    `LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`,
    '1000000',
  ]),
);

export interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface TestCaller {
  accountId: string;
  bearer: string;
  ctx: Context;
}

/** A running tool-call server with a database of its own. */
export class McpService {
  private readonly replicas: Service[] = [];

  private constructor(
    private readonly database: FreshDatabase,
    private readonly service: Service,
    private readonly startAnother: () => Promise<Service>,
  ) {}

  static async start(
    tools: readonly Tool[] = catalogue,
    environment: Record<string, string> = {},
    tasks?: Tasks,
  ): Promise<McpService> {
    const database = await freshDatabase();
    const prefix = freshRedisPrefix();
    const start = (): Promise<Service> =>
      startService(mcpGatewayWith(tools, tasks), {
        logger: createLogger({ service: 'mcp-gateway', level: 'silent' }),
        environment: {
          ...serviceSettings(database.url, prefix),
          ...highRates,
          ...environment,
        },
      });
    return new McpService(database, await start(), start);
  }

  /** Starts another server on the same PostgreSQL and Redis and returns its URL. */
  async replica(): Promise<string> {
    const replica = await this.startAnother();
    this.replicas.push(replica);
    return `${replica.url}/mcp`;
  }

  get url(): string {
    return `${this.service.url}/mcp`;
  }

  get ctx(): Context {
    return aContext(this.service.platform.database.manager);
  }

  get metrics(): Promise<string> {
    return this.service.platform.metrics.registry.metrics();
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  async aCaller(token: Omit<Parameters<typeof aToken>[1], 'accountId'> = {}, of?: string): Promise<TestCaller> {
    const accountId = of ?? (await anAccount(this.ctx)).id;
    const { value } = await aToken(this.ctx, { kind: 'mcp', ...token, accountId });
    return { accountId, bearer: value, ctx: actingAs(this.ctx, accountId) };
  }

  async send(body: unknown, bearer: string, headers: Record<string, string> = {}, url = this.url): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** The result of a tools/call. */
  async call(name: string, args: unknown, bearer: string): Promise<ToolAnswer> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await this.send(body, bearer);
    const { result, error } = (await answer.json()) as { result?: ToolAnswer; error?: unknown };
    if (answer.status !== 200 || !result) throw new Error(`${answer.status} ${JSON.stringify(error)}`);
    return result;
  }

  async stop(): Promise<void> {
    await Promise.all([this.service, ...this.replicas].map((each) => each.stop()));
    await this.database.drop();
  }
}

export const contentOf = ({ content: [first] }: ToolAnswer): unknown => JSON.parse(first?.text ?? 'null');

export interface ToolFailure {
  error: { code: string; message: string; details?: { issues?: { path: string; message: string }[] } };
}

/** The error of a failed call; throws for a successful one. */
export function failureOf(answer: ToolAnswer): ToolFailure['error'] {
  if (!answer.isError || answer.structuredContent !== undefined)
    throw new Error(`not failed: ${JSON.stringify(answer)}`);
  return (contentOf(answer) as ToolFailure).error;
}
