import type { SealContext } from '@lensforge/vault';

/** A setting with a master key, or with several versions of it during a rotation. */
export type MasterKeySetting = 'LENSFORGE_MASTER_KEY' | 'LENSFORGE_BYOK_MASTER_KEY';

/** A column whose values are sealed with a master key. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key and their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** The seal context of a value, from its primary key and owner. */
  contextOf: (key: readonly string[], owner: string) => SealContext;
  /** SQL for the owner of a value. */
  owner: string;
  whenLost: Remedy;
}

/** The fate of a value whose master key is lost. */
export type Remedy =
  | { by: 'deleting its row' }
  /** With further SQL assignments. */
  | { by: 'clearing'; also: string }
  /** By a random secret, or a value that SQL selects. `$4` in the further assignments is the SHA-256 of the new value. */
  | { by: 'renewing'; source?: string; also?: string };

interface PlatformColumn extends Pick<SealedColumn, 'table' | 'column' | 'key' | 'whenLost'> {
  owner?: string;
}

const platformColumn = ({ table, column, owner = 'platform', ...more }: PlatformColumn): SealedColumn => ({
  table,
  column,
  owner: `'${owner}'`,
  contextOf: ([id = ''], owner) => ({ table, column, id, owner }),
  ...more,
});

const webhookSecrets = (
  table: string,
  whenLost: Readonly<Record<'secret' | 'previous_secret', Remedy>>,
): SealedColumn[] =>
  (['secret', 'previous_secret'] as const).map((column) => ({
    table,
    column,
    key: [['id', 'uuid']],
    owner: 'account_id',
    contextOf: ([id = ''], owner) => ({ table, column: 'secret', id, owner }),
    whenLost: whenLost[column],
  }));

const deleted: Remedy = { by: 'deleting its row' };
/** Taking it over gives it a new secret, which its owner learns. */
const suspended = `suspended_at = coalesce(suspended_at, now()), suspended_reason = coalesce(suspended_reason, 'credential_revoked')`;

/** All columns with sealed values, by the setting of their master key. */
export const sealedColumns: Readonly<Record<MasterKeySetting, readonly SealedColumn[]>> = {
  LENSFORGE_MASTER_KEY: [
    platformColumn({ table: 'signing_keys', column: 'private_key', key: [['kid', 'text']], whenLost: deleted }),
    platformColumn({
      table: 'audit_signing_keys',
      column: 'private_key',
      key: [['kid', 'text']],
      whenLost: { by: 'clearing', also: 'retired_at = now()' },
    }),
    platformColumn({
      table: 'audit_signing_keys',
      column: 'attestation',
      key: [['kid', 'text']],
      whenLost: { by: 'renewing', source: 'public_jwk::text' },
    }),
    ...webhookSecrets('webhook_endpoints', {
      secret: {
        by: 'renewing',
        also: `${suspended}, disabled_at = coalesce(disabled_at, now()), disabled_reason = coalesce(disabled_reason, 'owner')`,
      },
      previous_secret: { by: 'clearing', also: 'previous_secret_until = null' },
    }),
    ...webhookSecrets('incoming_webhooks', {
      secret: { by: 'renewing', also: `${suspended}, secret_digest = $4` },
      previous_secret: { by: 'clearing', also: 'previous_digest = null, previous_until = null' },
    }),
    {
      table: 'second_factors',
      column: 'secret',
      key: [['user_id', 'uuid']],
      owner: 'user_id',
      contextOf: ([id = ''], owner) => ({ table: 'second_factors', column: 'secret', id, owner }),
      whenLost: deleted,
    },
    {
      table: 'partner_bundles',
      column: 'bundle',
      owner: 'account_id',
      key: [
        ['account_id', 'uuid'],
        ['partner', 'text'],
      ],
      contextOf: ([, id = ''], owner) => ({ table: 'partner_bundles', column: 'bundle', id, owner }),
      whenLost: deleted,
    },
  ],
  LENSFORGE_BYOK_MASTER_KEY: [
    platformColumn({
      table: 'byok_key_pairs',
      column: 'private_key',
      key: [['version', 'integer']],
      owner: 'run-workers',
      whenLost: deleted,
    }),
  ],
};
