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
}

const platformColumn = (table: string, column: string, key: SealedColumn['key'], owner = 'platform'): SealedColumn => ({
  table,
  column,
  key,
  owner: `'${owner}'`,
  contextOf: ([id = ''], owner) => ({ table, column, id, owner }),
});

const webhookSecrets = (table: string): SealedColumn[] =>
  ['secret', 'previous_secret'].map((column) => ({
    table,
    column,
    key: [['id', 'uuid']],
    owner: 'account_id',
    contextOf: ([id = ''], owner) => ({ table, column: 'secret', id, owner }),
  }));

/** All columns with sealed values, by the setting of their master key. */
export const sealedColumns: Readonly<Record<MasterKeySetting, readonly SealedColumn[]>> = {
  LENSFORGE_MASTER_KEY: [
    platformColumn('signing_keys', 'private_key', [['kid', 'text']]),
    platformColumn('audit_signing_keys', 'private_key', [['kid', 'text']]),
    platformColumn('audit_signing_keys', 'attestation', [['kid', 'text']]),
    ...webhookSecrets('webhook_endpoints'),
    ...webhookSecrets('incoming_webhooks'),
    {
      table: 'second_factors',
      column: 'secret',
      key: [['user_id', 'uuid']],
      owner: 'user_id',
      contextOf: ([id = ''], owner) => ({ table: 'second_factors', column: 'secret', id, owner }),
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
    },
  ],
  LENSFORGE_BYOK_MASTER_KEY: [platformColumn('byok_key_pairs', 'private_key', [['version', 'integer']], 'run-workers')],
};
