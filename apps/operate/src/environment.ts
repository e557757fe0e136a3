import { text } from '@lensforge/contracts';
import { PlatformEnvironment, masterKeyText } from '@lensforge/edge';

/** The settings of the commands, which need no port and no Redis. */
export class OperatorEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = 'redis://not-used';

  @text({
    ...masterKeyText,
    optional: true,
    description: 'The master key of the services; for commands that write or read the secrets that it encrypts.',
  })
  LENSFORGE_MASTER_KEY?: string;

  @text({
    ...masterKeyText,
    optional: true,
    description: 'The master key of BYOK keys, as the run-workers have it; to rotate it.',
  })
  LENSFORGE_BYOK_MASTER_KEY?: string;
}
