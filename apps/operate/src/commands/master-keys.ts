import { type MasterKeyRecord, deleteUnusedMasterKeys, listMasterKeys } from '@lensforge/master-keys';
import { type Command, UsageError } from '../command.js';

export const masterKeysCommand: Command = {
  usage: 'master-keys [forget-unused]',
  description:
    'lists the recorded versions of master keys and how many stored values each encrypts. forget-unused: deletes the records of unused versions',
  run: async ({ ctx, print }, [verb]) => {
    if (verb !== undefined && verb !== 'forget-unused')
      throw new UsageError('master-keys takes no argument but forget-unused');
    if (verb !== undefined) {
      for (const { setting, version } of await deleteUnusedMasterKeys(ctx))
        print(`forgot ${setting} version ${version}`);
    }
    const records = await listMasterKeys(ctx);
    for (const record of records) print(formatRecord(record));
    if (records.length === 0) print('no master key is on record');
    return true;
  },
};

const formatRecord = ({ setting, version, recordedBy, recordedAt, values }: MasterKeyRecord): string =>
  `${setting} version ${version}: seals ${values} stored values, recorded by ${recordedBy} at ${recordedAt.toISOString()}`;
