import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@lensforge/edge';
import { OAuthEnvironment } from './environment.js';
import { sessionAudience, toolResource } from './resources.js';

const environment = readEnvironment(OAuthEnvironment, {
  PORT: '4200',
  DATABASE_URL: 'postgres://l:aWvDbOa7@localhost/l',
  REDIS_URL: 'redis://localhost',
  LENSFORGE_MASTER_KEY: randomBytes(32).toString('base64'),
  LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example.com',
  LENSFORGE_PUBLIC_MCP_URL: 'https://tools.example.com/',
  LENSFORGE_PUBLIC_API_URL: 'https://api.example.com/',
});
const at = (host: string) => ({ headers: { host } });
const invalidTarget = expect.objectContaining({ details: { error: 'invalid_target' } });

describe('the resource of a token', () => {
  it.each([
    ['id.example.com', 'https://tools.example.com', 'https://tools.example.com/mcp'],
    ['id.example.com', 'https://tools.example.com/', 'https://tools.example.com/mcp'],
    ['id.example.com', 'https://tools.example.com/mcp', 'https://tools.example.com/mcp'],
    ['id.example.com', 'https://tools.example.com/mcp/', 'https://tools.example.com/mcp'],
    ['id.example.com', 'https://id.example.com/mcp', 'https://id.example.com/mcp'],
    ['127.0.0.1:4100', 'http://127.0.0.1:4100/mcp', 'http://127.0.0.1:4100/mcp'],
    ['localhost:4100', 'http://localhost:4100', 'http://localhost:4100/mcp'],
    ['localhost:4100', 'https://tools.example.com/mcp', 'https://tools.example.com/mcp'],
  ])('at %s is the tool-call server for %s', (host, asked, resource) => {
    expect(toolResource(environment, at(host), asked)).toBe(resource);
    expect(sessionAudience(environment, at(host), asked)).toEqual(['lensforge:mcp']);
  });

  it.each(['https://api.example.com', 'https://api.example.com/', 'lensforge:api'])(
    'can be the REST API: %s',
    (asked) => {
      expect(sessionAudience(environment, at('id.example.com'), asked)).toEqual(['lensforge:api']);
      expect(() => toolResource(environment, at('id.example.com'), asked)).toThrow(invalidTarget);
    },
  );

  it.each([
    'https://evil.example/mcp',
    'https://tools.example.com/mcp/x',
    'https://tools.example.com/mcp?x',
    'https://tools.example.com/mcp#x',
    'https://tools.example.com//mcp',
    'https://TOOLS.example.com/mcp',
    'http://tools.example.com/mcp',
    'https://tools.example.com:443/mcp',
    'http://localhost:9999/mcp',
    '/mcp',
    'mcp',
  ])('cannot be %s', (asked) => {
    expect(() => toolResource(environment, at('localhost:4100'), asked)).toThrow(invalidTarget);
    expect(() => sessionAudience(environment, at('localhost:4100'), asked)).toThrow(invalidTarget);
  });

  it('is not restricted when the request has none', () => {
    expect(toolResource(environment, at('id.example.com'), undefined)).toBeUndefined();
    expect(sessionAudience(environment, at('id.example.com'), undefined)).toBeUndefined();
  });
});
