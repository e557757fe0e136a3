import type { Migration } from '../migration.js';

/** Servers without an issuer get theirs at the next request for a token. */
export const mcpIssuers: Migration = {
  version: 20,
  name: 'mcp-issuers',
  sql: `
-- Issuer and token endpoint of the authorization server that receives the secrets, and another one that the MCP server
-- has named since: it waits for the owner, and the server is suspended.
alter table mcp_servers add column issuer jsonb, add column offered_issuer jsonb;
`,
};
