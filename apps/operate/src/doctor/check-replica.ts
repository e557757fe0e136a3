import { openDatabase } from '@lensforge/database';
import { toHostAndPath } from '@lensforge/edge';
import type { OperatorEnvironment } from '../environment.js';
import type { Database } from './check-database.js';
import { type Finding, ok, warning } from './finding.js';

interface Position {
  standby: boolean;
  /** Bytes from the start of the log, as text; null when the server is no streaming replica. */
  at: string | null;
}

const tolerableLagBytes = 16_777_216n;

/** Checks the read replica; services do without one, so nothing here is a fault. */
export async function checkReplica(environment: OperatorEnvironment, primary: Database): Promise<Finding[]> {
  const { DATABASE_REPLICA_URL: url, DATABASE_CA: ca } = environment;
  if (url === undefined) return [];
  const about = 'read replica';
  try {
    const replica = await openDatabase({ url, ca, applicationName: 'doctor', poolSize: 1 });
    try {
      const [{ standby, at }] = await replica.query<[Position]>(
        `select pg_is_in_recovery() as standby, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as at`,
      );
      if (!standby || at === null) {
        return [warning(about, 'DATABASE_REPLICA_URL leads to no streaming replica, so that it is not used')];
      }
      const [{ behind }] = await primary.query<[{ behind: string }]>(
        `select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn - $1::numeric)::text as behind`,
        [at],
      );
      const bytes = BigInt(behind);
      if (bytes < 0n) {
        return [
          warning(about, 'has writes that the primary does not have: it follows another server. Set it up again'),
        ];
      }
      return bytes > tolerableLagBytes
        ? [warning(about, `is ${bytes / 1_048_576n} MB behind: reads go to the primary until it has caught up`)]
        : [ok(about, `is ${bytes} bytes behind`)];
    } finally {
      await replica.destroy();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [warning(about, `cannot be queried at ${toHostAndPath(url)}: ${why}. Reads go to the primary`)];
  }
}
