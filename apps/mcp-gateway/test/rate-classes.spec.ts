import { accountRateClasses } from '@lensforge/contracts';
import { type TokenIssuer, tokenIssuer } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '@lensforge/tools';
import { McpService, type ToolAnswer, contentOf } from './mcp-service.js';

/*
 * Each tool with its rate class, called alone and in batches, counted over two servers. Every class has a different limit
 * here, so that the limit in a refusal identifies the class.
 */
const limits = Object.fromEntries(accountRateClasses.map((rate, at) => [rate, 6 + at]));
const perCredential = 60;
const settings = Object.fromEntries(
  Object.entries(limits).map(([rate, limit]) => [`LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`, String(limit)]),
);

let service: McpService;
let issuer: TokenIssuer;
let urls: [string, string];
beforeAll(async () => {
  issuer = await tokenIssuer({ name: 'https://id.lensforge.test/id' });
  service = await McpService.start(tools, {
    ...settings,
    LENSFORGE_RATE_MCP_PER_MINUTE: String(perCredential),
    LENSFORGE_OAUTH_URL: issuer.url,
    LENSFORGE_ISSUER: issuer.name,
  });
  urls = [service.url, await service.replica()];
});
afterAll(async () => {
  await service.stop();
  await issuer.close();
});

const message = (name: string, args: object = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

type Reply = { result: ToolAnswer };

async function send(url: string, body: unknown, bearer: string) {
  const answer = await service.send(body, bearer, {}, url);
  const remaining = Number(answer.headers.get('ratelimit-remaining'));
  return { status: answer.status, headers: answer.headers, remaining, body: await answer.json() };
}

const errorOf = ({ result }: Reply) =>
  result.isError ? (contentOf(result) as { error: { code: string; details?: object } }).error : undefined;

async function call(url: string, name: string, args: object, bearer: string) {
  return errorOf((await send(url, message(name, args), bearer)).body as Reply);
}

async function batch(url: string, messages: readonly object[], bearer: string) {
  return ((await send(url, messages, bearer)).body as Reply[]).map(errorOf);
}

interface Row {
  name: string;
  rate: string;
  args: object;
}

const rows: Row[] = tools.flatMap(({ name, rate, rateWith = {} }) => [
  { name, rate, args: {} },
  ...Object.entries(rateWith).map(([member, other]) => ({ name, rate: other, args: { [member]: 'x' } })),
]);

describe('two servers share the rate classes of an account:', () => {
  it.each(rows)('$name with $args counts in $rate when called alone', async ({ name, rate, args }) => {
    const { bearer, accountId } = await service.aCaller();
    const { bearer: another } = await service.aCaller({}, accountId);
    const limit = limits[rate] ?? NaN;
    for (let n = 0; n < limit; n += 1) {
      expect((await call(urls[n % 2] ?? '', name, args, n % 2 ? bearer : another))?.code).not.toBe('THROTTLED');
    }
    for (const url of urls) {
      const refused = await call(url, name, args, bearer);
      expect(refused).toMatchObject({ code: 'THROTTLED', details: { limit, retry_after: expect.any(Number) } });
      const { retry_after: wait } = refused?.details as { retry_after: number };
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
    }
  });

  it.each(rows)('$name with $args counts in $rate when called in a batch', async ({ name, rate, args }) => {
    const { bearer } = await service.aCaller();
    const limit = limits[rate] ?? NaN;
    const calls = Array.from({ length: limit + 2 }, (_, id) => message(name, args, id));
    const codes = (await batch(urls[0], calls, bearer)).map((error) => error?.code === 'THROTTLED');
    expect(codes).toEqual([...Array<boolean>(limit).fill(false), true, true]);
    expect(await call(urls[1], name, args, bearer)).toMatchObject({ code: 'THROTTLED', details: { limit } });
  });
});

describe('a tool whose rate class is used up', () => {
  it('is refused while the other calls of the batch are executed', async () => {
    const { bearer, ctx } = await service.aCaller();
    const { id } = await aWorkflow(ctx);
    const { run = NaN } = limits;
    const runs = Array.from({ length: run + 1 }, (_, n) => message('run_workflow', { workflow_id: id }, n));
    const outcomes = await batch(urls[0], [...runs, message('get_workflow', { workflow_id: id }, 99)], bearer);
    expect(outcomes.map((error) => error?.code)).toEqual([...Array(run).fill(undefined), 'THROTTLED', undefined]);
    const [{ started }] = await ctx.db.query<[{ started: number }]>(
      'select count(*)::int as started from runs where workflow_id = $1',
      [id],
    );
    expect(started).toBe(run);
  });
});

describe('the limit of a credential', () => {
  const pings = (count: number) => Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));

  it('counts each message of a batch, and refuses a batch as a whole when it exceeds the limit', async () => {
    const { bearer } = await service.aCaller();
    expect(await send(urls[0], pings(20), bearer)).toMatchObject({ status: 200, remaining: 40 });
    expect(await send(urls[1], pings(1)[0], bearer)).toMatchObject({ status: 200, remaining: 39 });
    expect(await send(urls[1], pings(20), bearer)).toMatchObject({ status: 200, remaining: 19 });
    const refused = await send(urls[0], pings(20), bearer);
    // The request was counted before its body was read; its calls were not.
    expect(refused).toMatchObject({ status: 429, remaining: 18, body: { error: { code: 'rate_limited' } } });
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
    expect(await send(urls[1], pings(18), bearer)).toMatchObject({ status: 200, remaining: 0 });
    expect((await send(urls[0], pings(1)[0], bearer)).status).toBe(429);
    expect((await send(urls[0], pings(1)[0], (await service.aCaller()).bearer)).status).toBe(200);
  });

  it('allows no more calls in batches than one by one', async () => {
    const { bearer } = await service.aCaller();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(urls[n % 2] ?? '', pings(1 + (n % 20)), bearer)),
    );
    const passed = answers.flatMap(({ status, body }) => (status === 200 ? [body as unknown[]].flat() : []));
    expect(passed.length).toBeLessThanOrEqual(perCredential);
    expect(passed.length).toBeGreaterThan(0);
  });

  it('counts a batch that is refused for its size as one call', async () => {
    const { bearer } = await service.aCaller();
    expect(await send(urls[0], pings(1000), bearer)).toMatchObject({ status: 400, remaining: perCredential - 1 });
  });

  it('is shared by all anonymous callers of a network', async () => {
    const anonymous = () => issuer.token({ aud: ['lensforge:mcp'], role: 'anonymous', sub: 'anonymous' });
    const ask = async (address: string) => {
      const { headers } = await service.send(pings(1)[0], anonymous(), { 'x-forwarded-for': address });
      return Number(headers.get('ratelimit-remaining'));
    };
    expect([await ask('2001:db8:9:9::1'), await ask('2001:db8:9:9::2'), await ask('2001:db8:9:a::1')]).toEqual([
      perCredential - 1,
      perCredential - 2,
      perCredential - 1,
    ]);
  });
});
