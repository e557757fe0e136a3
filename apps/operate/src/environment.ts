import { type Issue, integer, text } from '@lensforge/contracts';
import { PlatformEnvironment, allOrNone, masterKeyText, replicaUrl } from '@lensforge/edge';

const handle = { pattern: /^[a-z0-9_-]{3,64}$/, max: 64, optional: true } as const;

const notGiven = 'redis://not-given';

/** The settings of the commands, which need no port; only doctor needs Redis. */
export class OperatorEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = notGiven;

  @text({
    pattern: /^postgres(ql)?:\/\/\S+$/,
    max: 2000,
    optional: true,
    description: 'The address of PostgreSQL itself for `migrate`, when DATABASE_URL is that of a connection pooler.',
  })
  DATABASE_DIRECT_URL?: string;

  @text(replicaUrl)
  DATABASE_REPLICA_URL?: string;

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

  @text({
    min: 3,
    max: 254,
    optional: true,
    description: 'The email address of the first administrator, whom `migrate` and `init` create when absent.',
  })
  LENSFORGE_INIT_EMAIL?: string;

  @text({ ...handle, description: 'The handle of the first administrator.' })
  LENSFORGE_INIT_HANDLE?: string;

  @text({
    min: 8,
    max: 1024,
    optional: true,
    description: 'The password of the first administrator. A later change of this setting changes no password.',
  })
  LENSFORGE_INIT_PASSWORD?: string;

  @text({ ...handle, description: 'The handle of a community of the first administrator.' })
  LENSFORGE_INIT_COMMUNITY?: string;

  @text({
    pattern: /^lf_dev_[0-9a-f]{64}$/,
    max: 100,
    optional: true,
    description:
      'A developer token of the first administrator, valid for 90 days: `lf_dev_` and the output of `openssl rand -hex 32`.',
  })
  LENSFORGE_INIT_TOKEN?: string;

  @integer({
    min: 1,
    max: 1_000_000_000,
    optional: true,
    description: 'Credits that the first administrator is granted once.',
  })
  LENSFORGE_INIT_CREDITS?: number;

  /** Undefined when REDIS_URL is not set. */
  get redisUrl(): string | undefined {
    return this.REDIS_URL === notGiven ? undefined : this.REDIS_URL;
  }

  override faults(): Issue[] {
    const required = ['LENSFORGE_INIT_EMAIL', 'LENSFORGE_INIT_HANDLE', 'LENSFORGE_INIT_PASSWORD'] as const;
    const more = ['LENSFORGE_INIT_COMMUNITY', 'LENSFORGE_INIT_TOKEN', 'LENSFORGE_INIT_CREDITS'] as const;
    const alone = this.LENSFORGE_INIT_EMAIL === undefined && more.filter((name) => this[name] !== undefined);
    return [
      ...super.faults(),
      ...allOrNone(this, required),
      ...(alone || []).map((path) => ({ path, message: `needs ${required.join(', ')}, too` })),
    ];
  }
}
