import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type StreamEvent, readEvents, until } from './index.js';

describe('readEvents', () => {
  let server: Server;

  const serve = async (handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const stream = { 'content-type': 'text/event-stream; charset=utf-8' };

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('yields the events in order, and collects the comments', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, stream);
      response.write(': keep-alive\n\nid: 1\nevent: run.queued\ndata: {"a"');
      response.end(':1}\n\n: keep-alive\n\nid: 2\nevent: done\ndata: {}\n\n');
    });
    const reading = readEvents(url);
    const events: StreamEvent[] = [];
    for await (const event of reading) events.push(event);
    expect(events).toEqual([
      { id: '1', event: 'run.queued', data: '{"a":1}' },
      { id: '2', event: 'done', data: '{}' },
    ]);
    expect(reading.comments).toEqual([': keep-alive', ': keep-alive']);
    expect(reading.text).toContain('id: 1\nevent: run.queued\n');
    expect(await reading.opened).toMatchObject({ status: 200, headers: stream });
  });

  it('sends Last-Event-ID and the headers', async () => {
    const url = await serve(({ headers }, response) => {
      response.writeHead(200, stream).end(`data: ${String(headers['last-event-id'])} ${headers.authorization}\n\n`);
    });
    for await (const { data } of readEvents(url, { lastEventId: '7', headers: { authorization: 'Bearer x' } })) {
      expect(data).toBe('7 Bearer x');
    }
    expect.assertions(1);
  });

  it('throws when the response is not an event stream', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('{"error":{}}'));
    const reading = readEvents(url)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject({ status: 404, body: '{"error":{}}' });
  });

  it('yields the received events and throws when the connection is lost', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, stream).write('id: 1\ndata: {}\n\n', () => setTimeout(() => response.destroy(), 20));
    });
    const events: StreamEvent[] = [];
    const read = async (): Promise<void> => {
      for await (const event of readEvents(url)) events.push(event);
    };
    await expect(read()).rejects.toThrow();
    expect(events).toHaveLength(1);
  });

  it('closes the connection when the consumer stops', async () => {
    let open = 0;
    const url = await serve((request, response) => {
      open += 1;
      request.socket.on('close', () => (open -= 1));
      response.writeHead(200, stream).write('data: 1\n\n');
    });
    for await (const { data } of readEvents(url)) {
      expect(data).toBe('1');
      break;
    }
    expect(await until(() => open === 0)).toBe(true);
  });

  it('closes the connection when its signal is aborted', async () => {
    const url = await serve((_, response) => response.writeHead(200, stream).write('data: 1\n\n'));
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const event of readEvents(url, { signal: controller.signal }))
        if (event.data === '1') controller.abort();
    };
    await expect(read()).rejects.toThrow(/abort/i);
  });
});
