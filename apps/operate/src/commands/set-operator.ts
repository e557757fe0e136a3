import { setOperator } from '@lensforge/identity';
import { type Command, UsageError } from '../command.js';
import { requireAccount } from '../require-account.js';

const explanation = 'set-operator takes the handle or id of a person, and optionally off';

export const setOperatorCommand: Command = {
  usage: 'set-operator <handle-or-id> [off]',
  description: 'lets a person see and change the queues of the installation in the console; off takes it back',
  run: async ({ ctx, print }, [who, off, ...more]) => {
    if (who === undefined || (off !== undefined && off !== 'off') || more.length > 0) throw new UsageError(explanation);
    const { id, handle, kind } = await requireAccount(ctx, who);
    if (kind !== 'person') throw new UsageError(`${who} is not a person: only people can be operators`);
    await setOperator(ctx, { accountId: id, operator: off === undefined });
    print(`${handle} is ${off === undefined ? 'an operator' : 'no operator'} now`);
    return true;
  },
};
