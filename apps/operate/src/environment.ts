import { text } from '@lensforge/contracts';
import { PlatformEnvironment } from '@lensforge/edge';

/** What the commands read; they serve nothing and need no Redis. */
export class OperatorEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = 'redis://not-used';

  @text({
    min: 1,
    max: 2000,
    optional: true,
    description: 'The master key as the services have it; for commands that make or read what it seals.',
  })
  LENSFORGE_MASTER_KEY?: string;

  @text({
    min: 1,
    max: 2000,
    optional: true,
    description: 'What opens keys of users, as the run-workers have it; to rotate it.',
  })
  LENSFORGE_BYOK_MASTER_KEY?: string;
}
