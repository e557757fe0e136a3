import type { Issue } from '@lensforge/contracts';
import { text, uuid } from '@lensforge/contracts';
import { PlatformEnvironment } from '@lensforge/edge';

/** What the tools need when they are served over standard input and output: a database and a key, no port, no Redis. */
export class StdioEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = 'redis://not-used';
  override DATABASE_POOL_SIZE = 4;
  override LOG_LEVEL: PlatformEnvironment['LOG_LEVEL'] = 'warn';

  @text({
    min: 1,
    max: 8192,
    description: 'What "npm run operate -- issue-service-role-key" prints. It bypasses all access rules.',
  })
  LENSFORGE_SERVICE_ROLE_KEY!: string;

  @uuid({ optional: true, description: 'The lenser that owns what the service role makes.' })
  LENSFORGE_DEFAULT_LENSER_ID?: string;

  override faults(): Issue[] {
    return [...super.faults(), ...(this.production ? [notInProduction('LENSFORGE_SERVICE_ROLE_KEY')] : [])];
  }
}

const notInProduction = (path: string): Issue => ({
  path,
  message: 'is for development: in production callers sign in, and the tools are served over HTTP',
});
