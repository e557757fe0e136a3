import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentTraceparent, inSpan } from '../src/index.js';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

const spans: Span[] = [];
let collector: Server;
let setup: TinySetup;
let service: TinyService;
let authorization: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const sent = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      for (const { scopeSpans } of sent.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  setup = await tinySetup();
  const { port } = collector.address() as AddressInfo;
  service = await setup.start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  authorization = `Bearer ${(await setup.token()).value}`;
});
afterAll(async () => {
  await setup.stop();
  collector.close();
});

describe('traces', () => {
  it('continue from the caller through the request to its jobs, and are sent when the service stops', async () => {
    const [traceId, parent] = ['ab'.repeat(16), 'cd'.repeat(8)];
    const id = '01a1fbc9-f58d-705d-9eb8-b04103a0a177';
    const read = await fetch(`${service.url}/v1/things/${id}`, {
      headers: { authorization, traceparent: `00-${traceId}-${parent}-01` },
    });
    const forwarded = ((await read.json()) as { data: { traceparent: string } }).data.traceparent;
    await fetch(`${service.url}/v1/fail`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"name":"unexpected"}',
    });
    const inner = await inSpan('deliver', { parent: forwarded, attributes: { tries: 2 } }, () =>
      Promise.resolve(currentTraceparent()),
    );
    await expect(inSpan('fails', {}, () => Promise.reject(new TypeError('x')))).rejects.toThrow('x');
    await service.stop();
    await until(() => spans.length >= 4);

    const span = (name: string) => spans.find((each) => each.name === name)!;
    const request = span('GET /v1/things/:thingId');
    expect(request).toMatchObject({ traceId, parentSpanId: parent, kind: 2 });
    expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
    expect(forwarded).toBe(`00-${traceId}-${request.spanId}-01`);
    expect(span('deliver')).toMatchObject({ traceId, parentSpanId: request.spanId });
    expect(inner).toBe(`00-${traceId}-${span('deliver').spanId}-01`);
    expect(span('POST /v1/fail').status.code).toBe(2);
    expect(span('fails').status.code).toBe(2);
    expect(JSON.stringify(spans)).not.toContain('lf_dev_');
  });

  it('have no traceparent when tracing is off', () => {
    expect(currentTraceparent()).toBeUndefined();
  });
});
