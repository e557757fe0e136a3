import type { Context } from '@lensforge/core';
import { type MasterKeySetting, WrongMasterKey, checkMasterKey } from '@lensforge/master-keys';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import type { OperatorEnvironment } from '../environment.js';
import { type Finding, fault, ok, skipped, warning } from './finding.js';

const settings: readonly MasterKeySetting[] = ['LENSFORGE_MASTER_KEY', 'LENSFORGE_BYOK_MASTER_KEY'];
/** Days after which keys should be rotated, and hours within which the audit log is signed. */
const oldest = { signingDays: 90, masterDays: 365, statementHours: 2 };

export const checkKeys = async (ctx: Context, environment: OperatorEnvironment): Promise<Finding[]> => [
  ...(await Promise.all(settings.map((setting) => checkRing(ctx, setting, environment[setting])))),
  ...(await checkAges(ctx)),
];

async function checkRing(ctx: Context, setting: MasterKeySetting, keys: string | undefined): Promise<Finding> {
  if (keys === undefined) return skipped(setting, 'is not set here, so it was not compared with the database');
  try {
    const ring = keyRing(readMasterKeys(keys));
    await checkMasterKey(ctx, { setting, ring, by: 'doctor', readOnly: true });
    return ok(setting, 'belongs to this database');
  } catch (error) {
    if (error instanceof WrongMasterKey) return fault(setting, error.message.replace(`${setting}: `, ''));
    return fault(setting, `cannot be read: ${(error as Error).message}`);
  }
}

interface Ages {
  signingDays: number | null;
  masterDays: number | null;
  unsignedHours: number | null;
}

async function checkAges(ctx: Context): Promise<Finding[]> {
  const [ages] = await ctx.db.query<[Ages]>(
    `select extract(epoch from now() - (select max(signs_from) from signing_keys)) / 86400::float8 as "signingDays",
            extract(epoch from now() - (select max(recorded_at) from master_key_fingerprints)) / 86400::float8 as "masterDays",
            (select extract(epoch from now() - min(e.occurred_at)) / 3600::float8
               from audit_heads h
              cross join lateral (select coalesce(max(sequence), 0) as sequence from audit_signed_heads
                                   where account_id = h.account_id) signed
               join audit_entries e on e.account_id = h.account_id and e.sequence = signed.sequence + 1) as "unsignedHours"`,
  );
  const { signingDays, masterDays, unsignedHours } = ages;
  const { signingDays: signing, masterDays: master, statementHours } = oldest;
  return [
    signingDays === null
      ? warning('signing key', 'there is none yet: the first start of the oauth service makes it')
      : aged('signing key', signingDays, signing, 'lensforge-operate rotate-signing-keys'),
    ...(masterDays === null ? [] : [aged('master keys', masterDays, master, 'lensforge-operate rotate-master')]),
    unsignedHours !== null && unsignedHours > statementHours
      ? fault(
          'audit log',
          `has entries of ${Math.floor(unsignedHours)} hours ago that are not signed: start the oauth service, and look for errors about signed statements in its log`,
        )
      : ok('audit log', 'is signed up to the last two hours'),
  ];
}

const aged = (about: string, days: number, most: number, command: string): Finding =>
  days > most
    ? warning(about, `the newest is ${Math.floor(days)} days old: rotate it with "${command}"`)
    : ok(about, `the newest is ${Math.floor(days)} days old`);
