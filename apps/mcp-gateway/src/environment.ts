import { integer, text } from '@lensforge/contracts';
import { PlatformEnvironment } from '@lensforge/edge';

export class McpEnvironment extends PlatformEnvironment {
  @integer({ min: 1, max: 1_000_000, description: 'For each credential.' })
  LENSFORGE_RATE_MCP_PER_MINUTE = 600;

  @integer({ min: 1, max: 1000, description: 'How many of this service run; without Redis each grants its share.' })
  LENSFORGE_REPLICAS_MCP_GATEWAY = 1;

  @text({ max: 4000, optional: true, description: 'Web origins besides loopback that may call, separated by commas.' })
  LENSFORGE_MCP_ALLOWED_ORIGINS?: string;
}
