import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { serverJson } from './server-json.js';

const root = join(import.meta.dirname, '..', '..', '..');

// The limits are those of the registry's schema of 2025-12-11.
it('docs/server.json is an entry that MCP registries accept', () => {
  const { $schema, name, title, description, version, remotes } = serverJson();
  expect($schema).toMatch(
    /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/,
  );
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  for (const text of [title, description]) expect([text, text.length <= 100]).toEqual([text, true]);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const { type, url, variables } of remotes) {
    expect(type).toBe('streamable-http');
    const used = [...url.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
    expect(Object.keys(variables)).toEqual(used);
    expect(URL.canParse(url.replace(/\{\w+\}/g, 'mcp.example.com'))).toBe(true);
  }
});

it('docs/server.json has the version and the path of the tool-call server', () => {
  const packaged = JSON.parse(readFileSync(join(root, 'apps', 'mcp-gateway', 'package.json'), 'utf8')) as object;
  expect(packaged).toMatchObject({ version: serverJson().version });
  const source = readFileSync(join(root, 'apps', 'mcp-gateway', 'src', 'mcp.controller.ts'), 'utf8');
  expect(source).toContain("'mcp'");
});
