import type { Command } from '../command.js';
import { UsageFault } from '../faults.js';
import { parseJson } from '../session.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const api: Command = {
  name: 'api',
  summary: 'Send any request of the REST API and print its data',
  args: ['method', 'path'],
  options: { data: { value: 'json', short: 'd', summary: 'the body: JSON, @file, or - for stdin' } },
  async run(session, input) {
    const method = input.arg('method').toUpperCase();
    const path = input.arg('path');
    if (!methods.includes(method)) throw new UsageFault(`The method is one of ${methods.join(', ')}`);
    if (!path.startsWith('/')) throw new UsageFault('The path begins with /', 'Write: lensforge api GET /v1/me');
    const data = input.text('data');
    const text =
      data === undefined || (data !== '-' && !data.startsWith('@'))
        ? data
        : await session.readText(data === '-' ? '-' : data.slice(1));
    const body = text === undefined ? undefined : parseJson(text, '--data');
    const reply = await session.client.request(method, path, body, session.call);
    // Lines and files are printed as they are.
    session.show(reply, () => (typeof reply === 'string' ? reply.trimEnd() : JSON.stringify(reply ?? null, null, 2)));
  },
};

export const apiCommands: readonly Command[] = [api];
