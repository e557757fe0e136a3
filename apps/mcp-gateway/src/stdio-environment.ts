import { MAX_TEAM_RUNS_PER_DAY } from '@lensforge/agents';
import { type Issue, integer, text, uuid } from '@lensforge/contracts';
import { PlatformEnvironment, perAccount } from '@lensforge/edge';

/** The settings of the stdio server, which needs a database and a service role key, but no port and no Redis. */
export class StdioEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = 'redis://not-used';
  override DATABASE_POOL_SIZE = 4;
  override LOG_LEVEL: PlatformEnvironment['LOG_LEVEL'] = 'warn';

  @text({
    min: 1,
    max: 8192,
    description: 'The key that "lensforge-operate issue-service-role-key" prints. It bypasses all access rules.',
  })
  LENSFORGE_SERVICE_ROLE_KEY!: string;

  @uuid({ optional: true, description: 'The lenser that owns what the service role creates.' })
  LENSFORGE_DEFAULT_LENSER_ID?: string;

  @integer({ ...perAccount, description: 'Team runs that an AI lenser can start on a UTC day.' })
  LENSFORGE_TEAM_RUNS_PER_DAY = MAX_TEAM_RUNS_PER_DAY;

  override faults(): Issue[] {
    return [...super.faults(), ...(this.production ? [notInProduction('LENSFORGE_SERVICE_ROLE_KEY')] : [])];
  }
}

const notInProduction = (path: string): Issue => ({
  path,
  message: 'is for development: in production, serve the tools over HTTP, where callers sign in',
});
