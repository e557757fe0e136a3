import { createOwnedCommunity } from '@lensforge/communities';
import { type Command, UsageError } from '../command.js';
import { requireAccount } from '../require-account.js';
import { readArguments } from '../options.js';

const explanation = 'create-community takes a handle, the handle or id of its owner, and optionally --name=…';

export const createCommunityCommand: Command = {
  usage: 'create-community <handle> <owner> [--name=…]',
  description: 'creates a community with a person as its owner, who then invites others',
  run: async ({ ctx, print }, args) => {
    const { options, rest } = readArguments(args, ['name'], explanation);
    const [handle, who, ...more] = rest;
    if (handle === undefined || who === undefined || more.length > 0) throw new UsageError(explanation);
    const owner = await requireAccount(ctx, who);
    if (owner.kind !== 'person') throw new UsageError(`${who} is no person: a community needs a person as its owner`);
    const { id } = await createOwnedCommunity(ctx, owner.id, { handle, displayName: options['name'] ?? handle });
    print(`created ${handle} with the account ${id}; its owner is ${owner.handle}`);
    return true;
  },
};
