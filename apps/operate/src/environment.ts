import { text } from '@lensforge/contracts';
import { PlatformEnvironment, masterKeyText } from '@lensforge/edge';

/** The settings of the commands, which need no port and no Redis. */
export class OperatorEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = 'redis://not-used';

  @text({
    pattern: /^postgres(ql)?:\/\/\S+$/,
    max: 2000,
    optional: true,
    description: 'The address of PostgreSQL itself for `migrate`, when DATABASE_URL is that of a connection pooler.',
  })
  DATABASE_DIRECT_URL?: string;

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

  get directUrl(): string {
    return this.DATABASE_DIRECT_URL ?? this.DATABASE_URL;
  }
}
