import { describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import type { Endpoint } from '../catalogue/endpoint.js';
import { endpoints } from '../catalogue/endpoints.js';
import { platformEventTypes } from '../catalogue/platform-events.js';
import { runEvents } from '../catalogue/run-events.js';
import { parse } from '../schema/parse.js';
import { errorDetails } from '../catalogue/error-details.js';
import { openApi } from './openapi.js';

interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
  security: Record<string, string[]>[];
}

const document = openApi() as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
  tags: { name: string; description: string }[];
  webhooks: Record<string, { post: Operation }>;
};

const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [String(member)] : referencesIn(member)));
};

interface Details {
  description?: string;
  anyOf?: { $ref: string }[];
}

describe('the OpenAPI document', () => {
  it('has one operation for each endpoint, with every status of its row', () => {
    const rows = Object.values(endpoints);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.map(({ operationId }) => operationId)).toEqual(rows.map(({ id }) => id));
    for (const { path, method, status, errors } of rows) {
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
      expect(Object.keys(responses)).toEqual(expect.arrayContaining([status, ...errors].map(String)));
    }
  });

  it('has a tag, a summary, a description, the scopes and the rate class in each operation', () => {
    const names = document.tags.map(({ name }) => name);
    for (const { path, method, scopes, rate } of Object.values(endpoints)) {
      const { tags, summary, description } = document.paths[path]?.[method.toLowerCase()] ?? {};
      expect(names).toContain(tags?.[0]);
      expect(summary).toBeTruthy();
      expect(description).toContain(rate === 'none' ? 'not counted' : rate);
      for (const scope of scopes) expect(description).toContain(scope);
    }
    for (const { description } of document.tags) expect(description).toBeTruthy();
  });

  it('describes each event of streams and webhooks', () => {
    const stream = document.paths['/v1/runs/{runId}/events']?.['get']?.responses['200']?.content;
    expect(stream).toHaveProperty(
      ['text/event-stream', 'x-event-schema', '$ref'],
      '#/components/schemas/RunStreamEvent',
    );
    const { oneOf } = document.components['schemas']?.['RunStreamEvent'] as { oneOf: { title: string }[] };
    expect(oneOf.map(({ title }) => title)).toEqual([...Object.keys(runEvents), 'done']);
    expect(Object.keys(document.webhooks)).toEqual(platformEventTypes);
  });

  it('has examples that their endpoints accept', () => {
    const examples = Object.values<Endpoint>(endpoints).filter(({ example }) => example);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(examples.length).toBeGreaterThan(15);
    for (const { id, body, example } of examples) {
      expect(() => body && parse(body, example)).not.toThrow();
      const operation = operations.find((each) => each.operationId === id);
      expect(operation?.requestBody?.content).toHaveProperty(['application/json', 'example'], example);
    }
  });

  it('describes a call with any JSON, which the secret in its path authenticates', () => {
    const { requestBody, security } = document.paths['/v1/waits/{token}']?.['post'] ?? {};
    expect(requestBody).toEqual({ required: false, content: { 'application/json': { schema: {} } } });
    expect(security).toEqual([{}]);
  });

  it('refers only to existing components', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const [, , kind = '', name = ''] = reference.split('/');
      expect(document.components[kind]).toHaveProperty([name]);
    }
  });

  it('declares every parameter of a path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name)).toEqual(named);
      }
    }
  });

  it('wraps replies in the envelope, except for health and streams', () => {
    const schemaOf = (path: string, method: string, status: string) =>
      Object.values(document.paths[path]?.[method]?.responses[status]?.content ?? {})[0]?.schema;
    expect(schemaOf('/v1/lenses/{lensId}/execute', 'post', '202')).toMatchObject({
      properties: { data: { $ref: '#/components/schemas/PlatformExecutionAccepted' }, error: { type: 'null' } },
    });
    expect(schemaOf('/health', 'get', '503')).toEqual({ $ref: '#/components/schemas/HealthReport' });
    expect(document.paths['/v1/runs/{runId}/events']?.['get']?.responses['200']?.content).toHaveProperty([
      'text/event-stream',
    ]);
  });

  it('has one schema of details for each error code', () => {
    const { ApiError: error } = document.components['schemas'] as Record<
      string,
      { properties?: { details?: Details } }
    >;
    const { description, anyOf = [] } = error?.properties?.details ?? {};
    const shapes = Object.entries(errorDetails).flatMap(([code, shape]) => (shape ? [[code, shape.name]] : []));
    expect(anyOf.map(({ $ref }) => $ref)).toEqual(shapes.map(([, name]) => `#/components/schemas/${name}`));
    for (const [code, name] of shapes) expect(description).toContain(`${code}: ${name}`);
  });

  it('lists the scopes of an endpoint as alternatives', () => {
    expect(document.paths['/v1/runs/{runId}']?.['get']?.security).toEqual([
      { bearer: ['lenses:read'] },
      { bearer: ['workflows:read'] },
      { bearer: ['community:read'] },
    ]);
    expect(document.paths['/health']?.['get']?.security).toEqual([]);
  });
});
