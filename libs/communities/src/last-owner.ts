import { DomainError } from '@lensforge/core';

/** SQL condition for every statement that takes the role of an owner: another owner must remain. */
export const notTheLastOwner = `(memberships.role <> 'owner' or exists (
  select from memberships o join accounts a on a.id = o.account_id and a.disabled_at is null
   where o.community_id = memberships.community_id and o.account_id <> memberships.account_id and o.role = 'owner'))`;

export const lastOwnerError = (): DomainError =>
  new DomainError(
    'CONFLICT',
    'This is the last owner of the community: make another member an owner first, or delete the community',
  );
