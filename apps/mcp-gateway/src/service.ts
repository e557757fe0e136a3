import type { ServiceDefinition } from '@lensforge/edge';
import { publicUrl } from '@lensforge/edge';
import { identityEntities } from '@lensforge/identity';
import { McpEnvironment } from './environment.js';
import { McpModule } from './mcp.module.js';

export const mcpGateway: ServiceDefinition<McpEnvironment> = {
  name: 'mcp-gateway',
  environment: McpEnvironment,
  entities: identityEntities,
  module: McpModule,
  tokens: ['mcp'],
  rates: (environment) => ({ mcp: environment.LENSFORGE_RATE_MCP_PER_MINUTE }),
  replicas: (environment) => environment.LENSFORGE_REPLICAS_MCP_GATEWAY,
  publicUrl: (environment) => environment.LENSFORGE_PUBLIC_MCP_URL,
  challenge: (environment, { headers: { host } }) => {
    const base = publicUrl(
      environment.LENSFORGE_PUBLIC_MCP_URL,
      typeof host === 'string' ? host : undefined,
      environment.publicHosts,
    );
    return `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
  },
};
