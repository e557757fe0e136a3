import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import { version } from '../version.js';

const tracer = () => trace.getTracer('lensforge', version);
const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

let tracing = false;

export const isTracing = (): boolean => tracing;

/**
 * Loads the SDK and sends spans to `endpoint`; without it the functions below do almost nothing. Services of one process
 * share it: the first one names it and stops last.
 */
export async function startTracing(service: string, endpoint: string): Promise<() => Promise<void>> {
  if (tracing) return () => Promise.resolve();
  tracing = true;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const url = endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  return () => {
    tracing = false;
    for (const api of [trace, context, propagation]) api.disable();
    return provider.shutdown();
  };
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The traceparent of the caller; the active span when absent. */
  parent?: string | undefined;
}

/** Runs `work` in a span, which records its failure. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { kind = SpanKind.INTERNAL, attributes = {}, parent } = options;
  return tracer().startActiveSpan(name, { kind, attributes }, parseTraceparent(parent), async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

export interface PastSpan {
  attributes: Attributes;
  /** The traceparent of the caller; the active span when absent. */
  parent?: string | undefined;
  startedAt: number;
  endedAt: number;
  hasFailed: boolean;
}

/** Sends a span for what has ended, such as a run that several processes have executed. */
export function recordSpan(name: string, { attributes, parent, startedAt, endedAt, hasFailed }: PastSpan): void {
  if (!tracing) return;
  const span = tracer().startSpan(name, { attributes, startTime: startedAt }, parseTraceparent(parent));
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endedAt);
}

/** The W3C trace context of the active span, for a job, a row or a request. */
export function currentTraceparent(): string | undefined {
  if (!tracing) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** An inbound `traceparent`; undefined when it is not well-formed. */
export const readTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && traceparentForm.test(header) ? header : undefined;

/** Starts a server span around `next`; the caller ends it. */
export function beginRequestSpan(name: string, traceparent: string | undefined, next: () => void): Span {
  const parent = parseTraceparent(traceparent);
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER }, parent);
  context.with(trace.setSpan(parent, span), next);
  return span;
}

export function endRequestSpan(
  span: Span,
  { method, route, status }: { method: string; route: string; status: number },
) {
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const parseTraceparent = (traceparent: string | undefined): Context =>
  traceparent === undefined ? context.active() : propagation.extract(context.active(), { traceparent });
