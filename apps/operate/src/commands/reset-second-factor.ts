import { DomainError } from '@lensforge/core';
import { findUserByEmail, resetSecondFactor } from '@lensforge/identity';
import { type Command, UsageError } from '../command.js';

export const resetSecondFactorCommand: Command = {
  usage: 'reset-second-factor <email>',
  description:
    'turns off the second factor of a person who has lost it, and removes their passkeys; the password stays',
  run: async ({ ctx, print }, [email, ...more]) => {
    if (email === undefined || more.length > 0) throw new UsageError('reset-second-factor takes an email address');
    const user = await findUserByEmail(ctx, email);
    if (!user) throw new DomainError('NOT_FOUND', `There is no user with the email ${email}`);
    await resetSecondFactor(ctx, user);
    print(`${email} signs in with the password alone now`);
    return true;
  },
};
