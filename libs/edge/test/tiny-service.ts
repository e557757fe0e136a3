import { type Endpoint, integer, record, text, uuid } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { type ContextTraits, serviceSettings } from '@lensforge/testing';
import { Controller, Module, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { QueryFailedError } from 'typeorm';
import {
  Caller,
  Input,
  type InputOf,
  ListResponse,
  Platform,
  RateEnvironment,
  Serves,
  type Service,
  type ServiceDefinition,
  type ServiceLogger,
  createLogger,
  startService,
} from '../src/index.js';

class ThingPath {
  @uuid()
  thingId!: string;
}

class NamedPath {
  @uuid({ idOf: 'thing' })
  thingId!: string;
}

class ThingQuery {
  @integer({ min: 1, max: 100 })
  limit = 20;
}

class Thing {
  @text({ min: 1, max: 40 })
  name!: string;

  @record({ optional: true })
  params?: Record<string, unknown>;
}

const row = <const E extends Pick<Endpoint, 'id' | 'method' | 'path'> & Partial<Endpoint>>(given: E) => ({
  summary: 'For tests',
  description: 'An endpoint of the service for tests.',
  status: 200,
  scopes: ['lenses:read'] as const,
  rate: 'read' as const,
  errors: [],
  replies: 'envelope' as const,
  ...given,
});

export const rows = {
  make: row({ id: 'make', method: 'POST', path: '/v1/things', body: Thing, status: 202, scopes: ['lenses:write'] }),
  import: row({
    id: 'import',
    method: 'POST',
    path: '/v1/things/import',
    body: Thing,
    largeBody: { bytes: 600_000, members: 5000 },
  }),
  read: row({ id: 'read', method: 'GET', path: '/v1/things/{thingId}', params: ThingPath }),
  remove: row({ id: 'remove', method: 'DELETE', path: '/v1/things/{thingId}', params: ThingPath }),
  named: row({ id: 'named', method: 'GET', path: '/v1/named/{thingId}', params: NamedPath, query: ThingQuery }),
  list: row({
    id: 'list',
    method: 'GET',
    path: '/v1/things',
    query: ThingQuery,
    scopes: ['lenses:read', 'agents:read'],
  }),
  limited: row({ id: 'limited', method: 'POST', path: '/v1/limited', rate: 'execute', body: Thing }),
  fail: row({ id: 'fail', method: 'POST', path: '/v1/fail', body: Thing }),
  slow: row({ id: 'slow', method: 'POST', path: '/v1/slow', body: Thing }),
  open: row({ id: 'open', method: 'GET', path: '/open', scopes: [], replies: 'plain' }),
  stream: row({ id: 'stream', method: 'GET', path: '/v1/stream', replies: 'event-stream' }),
};

export class TinyEnvironment extends RateEnvironment {
  @integer({ min: 1, max: 100 })
  LENSFORGE_REPLICAS_API_GATEWAY = 1;
}

const failures: Record<string, () => unknown> = {
  unexpected: () => new Error('the secret is lf_dev_' + 'ab'.repeat(32)),
  'no error': () => 'just words',
  missing: () => notFound('thing', 'x'),
  reused: () => new DomainError('IDEMPOTENCY_KEY_REUSED', 'used for something else'),
  unique: () => new QueryFailedError('insert', [], Object.assign(new Error('duplicate key'), { code: '23505' })),
  form: () => new QueryFailedError('insert', [], Object.assign(new Error('invalid input'), { code: '22P02' })),
  unreachable: () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
};

@Controller()
class TinyController {
  constructor(private readonly platform: Platform<TinyEnvironment>) {}

  @Serves(rows.make)
  make(@Caller() ctx: Context, @Input() { body }: InputOf<typeof rows.make>) {
    return { name: body.name, params: body.params, account: ctx.actor.accountId, requestId: ctx.requestId };
  }

  @Serves(rows.import)
  import(@Input() { body }: InputOf<typeof rows.import>) {
    return { name: body.name };
  }

  @Serves(rows.read)
  async read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof rows.read>) {
    const [found] = await ctx.db.query<{ one: number }[]>('select 1 as one');
    return { id: params.thingId, one: found?.one, traceparent: ctx.traceparent };
  }

  @Serves(rows.remove)
  remove(@Input() { params }: InputOf<typeof rows.remove>) {
    return { id: params.thingId };
  }

  @Serves(rows.named)
  named(@Input() { params }: InputOf<typeof rows.named>) {
    return { id: params.thingId };
  }

  @Serves(rows.list)
  list(@Input() { query }: InputOf<typeof rows.list>) {
    return new ListResponse(['a', 'b'], { limit: query.limit, total: 2, hasNextPage: false });
  }

  @Serves(rows.limited)
  limited() {
    return { done: true };
  }

  @Serves(rows.fail)
  fail(@Input() { body }: InputOf<typeof rows.fail>): never {
    throw failures[body.name]?.();
  }

  @Serves(rows.slow)
  async slow(@Input() { body }: InputOf<typeof rows.slow>) {
    this.platform.logger.info('a slow request began');
    await new Promise((resolve) => setTimeout(resolve, Number(body.name)).unref());
    return { slept: body.name, draining: this.platform.drain.draining };
  }

  @Serves(rows.open)
  open() {
    return { open: true };
  }

  @Serves(rows.stream)
  stream(@Res() reply: FastifyReply) {
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
    });
    reply.raw.write(': hello\n\n');
    this.platform.drain.onDrain('stream', () => reply.raw.end(': bye\n\n'));
    this.platform.logger.info('a stream began');
  }
}

@Module({ controllers: [TinyController] })
class TinyModule {}

export const tinyDefinition: ServiceDefinition<TinyEnvironment> = {
  name: 'tiny',
  environment: TinyEnvironment,
  module: TinyModule,
  tokens: ['developer', 'organisation', 'service'],
  displayName: 'the tiny service',
  rates: (environment) => environment.ratesPerMinute,
  replicas: (environment) => environment.LENSFORGE_REPLICAS_API_GATEWAY,
};

export interface TinySetup {
  environment: Record<string, string>;
  databaseUrl: string;
  /** Creates an account with a token. */
  token(traits?: { held?: ContextTraits['held']; kind?: 'developer' | 'organisation' | 'service' | 'mcp' }): Promise<{
    value: string;
    id: string;
    accountId: string;
  }>;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  start(changes?: Record<string, string>): Promise<TinyService>;
  stop(): Promise<void>;
}

export interface TinyService extends Service<TinyEnvironment> {
  /** The logged lines. */
  lines: string[];
}

/** Creates a database and a Redis prefix, on which tests start instances of the tiny service. */
export async function tinySetup(): Promise<TinySetup> {
  const database = await openTestDatabase({ poolSize: 2 });
  const { source, ctx } = database;
  const services: TinyService[] = [];
  const environment = {
    ...serviceSettings(database.url),
    LENSFORGE_DRAIN_MS: '5000',
  };
  return {
    environment,
    databaseUrl: database.url,
    token: async ({ held, kind } = {}) => {
      const { id: accountId } = await anAccount(ctx);
      const token = await aToken(ctx, { accountId, ...(held && { held }), ...(kind && { kind }) });
      return { ...token, accountId };
    },
    query: (sql, values) => source.query(sql, values),
    start: async (changes = {}) => {
      const lines: string[] = [];
      const logger: ServiceLogger = createLogger({
        service: 'tiny',
        level: 'debug',
        to: { write: (line) => lines.push(line) },
      });
      const service = await startService(tinyDefinition, { environment: { ...environment, ...changes }, logger });
      const tiny = { ...service, lines };
      services.push(tiny);
      return tiny;
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await database.close();
    },
  };
}
