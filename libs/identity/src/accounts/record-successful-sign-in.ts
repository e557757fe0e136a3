import type { Context } from '@lensforge/core';

/** Resets the tries of a user from this network and remembers the network as known. */
export async function recordSuccessfulSignIn(
  ctx: Context,
  { userId, subject, network }: { userId: string; subject: string; network: string },
): Promise<void> {
  await ctx.db.query(
    `delete from auth_attempts where subject = $1 and network = $2 and kind in ('sign_in', 'known_sign_in')`,
    [subject, network],
  );
  await ctx.db.query(
    `insert into sign_in_networks (user_id, network) values ($1, $2)
     on conflict (user_id, network) do update set last_at = now()`,
    [userId, network],
  );
}
