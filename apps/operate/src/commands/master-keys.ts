import type { MasterKeyRecord } from '@lensforge/master-keys';
import { deleteUnusedMasterKeys, listMasterKeys } from '@lensforge/master-keys';
import type { Command } from '../command.js';
import { UsageError } from '../command.js';

export const masterKeysCommand: Command = {
  usage: 'master-keys [forget-unused]',
  does: 'lists the versions of master keys on record and how many stored values each seals. forget-unused: takes those that seal nothing off the record',
  run: async ({ ctx, say }, [verb]) => {
    if (verb !== undefined && verb !== 'forget-unused')
      throw new UsageError('the only word behind it is forget-unused');
    if (verb !== undefined) {
      for (const { setting, version } of await deleteUnusedMasterKeys(ctx)) say(`forgot ${setting} version ${version}`);
    }
    const records = await listMasterKeys(ctx);
    for (const record of records) say(lineOf(record));
    if (records.length === 0) say('no master key is on record');
    return true;
  },
};

const lineOf = ({ setting, version, recordedBy, recordedAt, values }: MasterKeyRecord): string =>
  `${setting} version ${version}: seals ${values} stored values, recorded by ${recordedBy} at ${recordedAt.toISOString()}`;
