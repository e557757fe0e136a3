import { recordAudit } from '@lensforge/audit';
import { giveUpBoxedSecrets } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type GivenUp, type MasterKeySetting, giveUpMasterKey, listMasterKeys } from '@lensforge/master-keys';
import { type Command, UsageError } from '../command.js';

const settings: readonly MasterKeySetting[] = ['LENSFORGE_MASTER_KEY', 'LENSFORGE_BYOK_MASTER_KEY'];

/** The remedies for the values of a column or table, for the people who own them. */
const remedies: Readonly<Record<string, string>> = {
  'signing_keys.private_key': 'session keys: everyone signs in again',
  'audit_signing_keys.private_key': 'the signing key of the audit log: a new one signs from now on',
  'audit_signing_keys.attestation':
    'public keys of the audit log: trusted again; compare them with those that you have exported',
  'webhook_endpoints.secret':
    'webhook endpoints: suspended until their owners take them over, which gives them new secrets',
  'incoming_webhooks.secret':
    'incoming webhooks: suspended until their owners take them over, which gives them new secrets',
  'second_factors.secret': 'authenticator apps: their owners sign in without one, and set up another',
  'partner_bundles.bundle': 'accounts at partners: they are connected again',
  byok_keys: 'BYOK keys: revoked; their owners store them again',
  mcp_servers: 'credentials of MCP servers: their owners store them again',
  scorers: 'secrets of scorers: their owners store them again',
  mcp_authorizations: 'authorizations of MCP servers: their owners authorize them again',
};

export const giveUpMasterKeyCommand: Command = {
  usage: 'give-up-master-key <setting> <version>',
  description:
    'for a lost master key, while services are stopped: removes or renews what only it can open, and says what its owners have to do',
  run: async ({ ctx, newRing, environment, print }, [setting = '', version = '']) => {
    if (!isSetting(setting) || !/^[1-9]\d*$/.test(version))
      throw new UsageError(
        `give-up-master-key takes ${settings.join(' or ')} and a version, such as LENSFORGE_MASTER_KEY 1`,
      );
    const lost = { setting, version: Number(version) };
    await requireLost(ctx, lost, environment[setting] === undefined ? undefined : newRing(setting).versions);
    const given = await inTransaction(ctx, async (ctx) => {
      const boxed =
        setting === 'LENSFORGE_BYOK_MASTER_KEY'
          ? await giveUpBoxedSecrets(ctx, lost.version)
          : new Map<string, number>();
      const sealed = await giveUpMasterKey(ctx, { ...lost, ring: newRing(setting) });
      const all: GivenUp[] = [...sealed, ...[...boxed].map(([column, values]) => ({ column, values }))];
      const details = { ...lost, ...Object.fromEntries(all.map(({ column, values }) => [column, values])) };
      await recordAudit(ctx, { accountId: ctx.actor.accountId, action: 'master.given_up', details });
      return all;
    });
    for (const { column, values } of given) {
      const remedy = remedies[column];
      if (remedy !== undefined) print(`${values} ${remedy}`);
    }
    print(`${setting} version ${version} is given up; start the services with the new key`);
    return true;
  },
};

const isSetting = (text: string): text is MasterKeySetting => settings.some((setting) => setting === text);

async function requireLost(
  ctx: Context,
  { setting, version }: { setting: MasterKeySetting; version: number },
  given: readonly number[] | undefined,
): Promise<void> {
  const known = (await listMasterKeys(ctx)).filter((each) => each.setting === setting);
  if (!known.some((each) => each.version === version)) {
    const versions = known.map((each) => each.version).join(', ');
    throw new UsageError(
      `There is no version ${version} of ${setting} on record${versions && `; there is ${versions}`}. Nothing was changed`,
    );
  }
  if (!given)
    throw new UsageError(`${setting} must be the new key, with a version above ${version}, such as ${version + 1}:key`);
  if (given.includes(version))
    throw new UsageError(
      `${setting} has version ${version}, so that it is not lost. Give the new key alone, with a version above it, such as ${version + 1}:key`,
    );
}
