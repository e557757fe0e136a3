import { integer, text } from '@lensforge/contracts';
import { RateEnvironment, perAccount, perMinute, replicas } from '@lensforge/edge';
import { MAX_AI_LENSERS } from '@lensforge/identity';
import { toolsetNames } from '@lensforge/tools';

export class McpEnvironment extends RateEnvironment {
  @integer({ ...perMinute, description: 'Calls per minute and credential; each call of a batch counts.' })
  LENSFORGE_RATE_MCP_PER_MINUTE = 600;

  @integer({
    ...perAccount,
    description: 'Active AI lensers that a person can own. Must be the same for all services.',
  })
  LENSFORGE_AI_LENSERS_PER_OWNER = MAX_AI_LENSERS;

  @integer({
    ...replicas,
    description: 'Number of MCP gateways; without Redis each one grants its share of the rate limits.',
  })
  LENSFORGE_REPLICAS_MCP_GATEWAY = 1;

  @integer({ min: 1024, max: 10_485_760, description: 'Size limit of request bodies.' })
  override LENSFORGE_BODY_LIMIT_BYTES = 2_097_152;

  @text({ max: 4000, optional: true, description: 'Web origins that may call, besides loopback; separated by commas.' })
  LENSFORGE_MCP_ALLOWED_ORIGINS?: string;

  @text({
    max: 200,
    optional: true,
    pattern: new RegExp(`^(${toolsetNames.join('|')})(,(${toolsetNames.join('|')}))*$`),
    description: 'Tools beyond the 43 that all clients get, as with ?toolset=: evaluation, extra. Separated by commas.',
  })
  LENSFORGE_MCP_TOOLSETS?: string;

  /** Host headers that name this service. */
  get knownHosts(): readonly string[] {
    const urls = [this.LENSFORGE_PUBLIC_MCP_URL ?? [], this.publicHosts].flat();
    return urls.map((url) =>
      url
        .replace(/^https?:\/\//, '')
        .replace(/\/.*$/s, '')
        .toLowerCase(),
    );
  }
}
