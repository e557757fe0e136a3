import type { Context } from '@lensforge/core';
import { scrapedGauges } from '@lensforge/queue';
import type { Registry } from 'prom-client';

interface KeyAge {
  key: string;
  seconds: number;
}

const statement = `
select key, extract(epoch from now() - since)::float8 as seconds from (
  select 'signing' as key, max(signs_from) as since from signing_keys
  union all select 'audit', max(created_at) from audit_signing_keys
  union all select case setting when 'LENSFORGE_MASTER_KEY' then 'master' else 'byok_master' end, max(recorded_at)
              from master_key_fingerprints group by setting
) as keys where since is not null`;

/** Registers the ages of the newest keys, which operators rotate; they have no values while PostgreSQL does not answer. */
export const measureKeyAges = ({ db, registry }: { db: Context['db']; registry: Registry }): void =>
  scrapedGauges<readonly KeyAge[]>(registry, () => db.query<KeyAge[]>(statement), [
    {
      name: 'lensforge_key_age_seconds',
      help: 'Seconds since the newest key of a kind was made or recorded',
      labelNames: ['key'],
      samples: (ages) => ages.map(({ key, seconds }) => [{ key }, Math.max(0, seconds)]),
    },
  ]);
