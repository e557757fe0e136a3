import { createInterface } from 'node:readline';
import { createClient } from '@lensforge/sdk';

// Performs the calls of cases with the SDK for JavaScript: each line of stdin is a case, each line of stdout its outcomes.

const tools = {
  add: ({ a, b }) => a + b,
  divide: () => {
    throw new Error('b is missing');
  },
};

const toMilliseconds = (seconds) => (seconds === undefined ? undefined : seconds * 1000);

const toOptions = ({ timeout, idleTimeout, ...others }) => ({
  ...others,
  timeoutMs: toMilliseconds(timeout),
  idleMs: toMilliseconds(idleTimeout),
});

const describePage = ({ items, meta, hasNextPage }) => ({ items, total: meta.total, hasNextPage });

async function collect(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

const ways = {
  data: async (call, args, options) => ({ data: await call(...args, options) }),
  response: async (call, args, options) => {
    const { data, response, requestId } = await call(...args, options).withResponse();
    return { data, status: response.status, requestId };
  },
  items: async (call, args, options) => ({ items: await collect(call(...args, options)) }),
  pages: async (call, args, options) => {
    const pages = [];
    for (let page = await call(...args, options); page; page = await page.nextPage()) pages.push(describePage(page));
    return { pages };
  },
  events: async (call, args, options) => {
    const reconnects = [];
    const onReconnect = ({ name }) => reconnects.push(name);
    const events = await collect(call(...args, {}, { ...options, onReconnect }));
    return { sequences: events.map(({ sequence }) => sequence), reconnects };
  },
  followed: async (call, args, options) => {
    const sequences = [];
    const onEvent = ({ sequence }) => sequences.push(sequence);
    return { data: await call(...args, { ...options, onEvent }), sequences };
  },
  file: async (call, args, options) => ({ text: await (await call(...args, options)).text() }),
};

/** Options follow the query or body, also where a call has none. */
const takesInput = new Set(['runs.list', 'threads.list', 'leaderboards.downloadVotes']);

async function perform(client, { do: name, args, options = {}, as = 'data' }) {
  const [resource, method] = name.split('.');
  const given = name === 'runs.withTools' ? [...args, tools] : [...args];
  if (takesInput.has(name) && typeof args.at(-1) !== 'object') given.push({});
  if (name === 'request' && given.length === 2) given.push(undefined);
  const call = method === undefined ? client.request : client[resource][method];
  try {
    return await ways[as](call, given, toOptions(options));
  } catch (error) {
    const { name: kind, message, status, code, details, requestId, retryAfter } = error;
    return { error: { name: kind, message, status, code, details, requestId, retryAfter } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { url, tokens, calls } = JSON.parse(line);
  const apiKey = tokens.length > 1 ? async () => tokens.shift() : tokens[0];
  const client = createClient({ baseUrl: url, apiKey });
  const outcomes = [];
  for (const call of calls) outcomes.push(await perform(client, call));
  process.stdout.write(`${JSON.stringify(outcomes)}\n`);
}
