import { describe, expect, it } from '@jest/globals';
import { endpoints, errorDetails } from '@lensforge/contracts';
import { openApi } from './openapi.js';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
  security: Record<string, string[]>[];
}

const document = openApi() as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
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
