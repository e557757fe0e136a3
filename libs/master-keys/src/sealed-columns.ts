import type { BoundTo } from '@lensforge/vault';

/** A setting that holds a master key, or several versions of it while they rotate. */
export type MasterKeySetting = 'LENSFORGE_MASTER_KEY' | 'LENSFORGE_BYOK_MASTER_KEY';

/** A column with values that a master key seals. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key and their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** The place that a value is bound to, by its primary key and owner. */
  place: (key: readonly string[], owner: string) => BoundTo;
  /** The owner of a value, in SQL. */
  owner: string;
}

const ofPlatform = (table: string, column: string, key: SealedColumn['key'], owner = 'platform'): SealedColumn => ({
  ...{ table, column, key, owner: `'${owner}'` },
  place: ([id = ''], owner) => ({ table, column, id, owner }),
});

const webhookSecrets = (table: string): SealedColumn[] =>
  ['secret', 'previous_secret'].map((column) => ({
    ...{ table, column, key: [['id', 'uuid']], owner: 'account_id' },
    place: ([id = ''], owner) => ({ table, column: 'secret', id, owner }),
  }));

/** Everything that is sealed, by the setting whose key seals it. */
export const sealedColumns: Readonly<Record<MasterKeySetting, readonly SealedColumn[]>> = {
  LENSFORGE_MASTER_KEY: [
    ofPlatform('signing_keys', 'private_key', [['kid', 'text']]),
    ofPlatform('audit_signing_keys', 'private_key', [['kid', 'text']]),
    ofPlatform('audit_signing_keys', 'attestation', [['kid', 'text']]),
    ...webhookSecrets('webhook_endpoints'),
    ...webhookSecrets('incoming_webhooks'),
    {
      ...{ table: 'partner_bundles', column: 'bundle', owner: 'account_id' },
      key: [
        ['account_id', 'uuid'],
        ['partner', 'text'],
      ],
      place: ([, id = ''], owner) => ({ table: 'partner_bundles', column: 'bundle', id, owner }),
    },
  ],
  LENSFORGE_BYOK_MASTER_KEY: [ofPlatform('byok_key_pairs', 'private_key', [['version', 'integer']], 'run-workers')],
};
