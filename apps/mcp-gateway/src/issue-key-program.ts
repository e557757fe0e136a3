import { text } from '@lensforge/contracts';
import { newId, platformActor, systemClock } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { PlatformEnvironment, readEnvironment } from '@lensforge/edge';
import { identityEntities, issueServiceRoleKey } from '@lensforge/identity';
import { keyRing, readMasterKeys } from '@lensforge/vault';

class IssueKeyEnvironment extends PlatformEnvironment {
  override PORT = 0;
  override REDIS_URL = 'redis://not-used';

  @text({ min: 1, max: 2000, description: 'The master key that seals the signing keys, as the oauth service has it.' })
  LENSFORGE_MASTER_KEY!: string;
}

/** A service role key of the platform whose database and master key these are. */
export async function issueKey(source: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { DATABASE_URL: url, LENSFORGE_MASTER_KEY: master, issuer } = readEnvironment(IssueKeyEnvironment, source);
  const ring = keyRing(readMasterKeys(master));
  const database = await openDatabase({ url, entities: identityEntities, applicationName: 'lensforge-mcp' });
  try {
    const ctx = { actor: platformActor, db: database.manager, now: systemClock, requestId: newId() };
    return await issueServiceRoleKey(ctx, { ring, issuer });
  } finally {
    await database.destroy();
  }
}
