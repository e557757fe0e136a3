import {
  type Platform,
  type ServiceDefinition,
  platformContext,
  publicUrl,
  startRunChangesPublisher,
  trustedTokens,
} from '@lensforge/edge';
import { limitAiLensers } from '@lensforge/identity';
import { admitWaiting, limitRuns } from '@lensforge/runs';
import { type Tool, tools } from '@lensforge/tools';
import { McpEnvironment } from './environment.js';
import { forwardToIssuer } from './issuer-forward.js';
import { mcpModule } from './mcp.module.js';
import { serveProtectedResource } from './protected-resource.js';
import { runTasks } from './tasks/run-tasks.js';
import type { Tasks } from './tasks/task.js';

function startRunChanges(platform: Platform<McpEnvironment>): void {
  limitRuns(platform.database, platform.environment.runLimits);
  const ctx = platformContext(platform);
  startRunChangesPublisher(platform, { admit: (targets) => admitWaiting(ctx, targets) });
}

export const mcpGatewayWith = (
  served: readonly Tool[],
  tasks: Tasks = runTasks,
): ServiceDefinition<McpEnvironment> => ({
  name: 'mcp-gateway',
  environment: McpEnvironment,
  module: () => mcpModule(served, tasks),
  prepare: (http, platform) => {
    startRunChanges(platform);
    limitAiLensers(platform.database, platform.environment.LENSFORGE_AI_LENSERS_PER_OWNER);
    serveProtectedResource(http, platform);
    forwardToIssuer(http, platform);
  },
  tokens: ['mcp', 'organisation', 'service'],
  displayName: 'the tool-call server',
  verifiers: (platform) => [trustedTokens(platform, 'lensforge:mcp')],
  rates: (environment) => ({ ...environment.ratesPerMinute, mcp: environment.LENSFORGE_RATE_MCP_PER_MINUTE }),
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
});

export const mcpGateway = mcpGatewayWith(tools);
