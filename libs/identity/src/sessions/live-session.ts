/** A session lives 90 days at most, and 30 days after it was last used. */
export const sessionDays = { max: 90, idle: 30 } as const;

/**
 * SQL condition for a session that may be used: `s` is its row, `u` the row of its user, and `a` the left-joined account.
 */
export const liveSession = `s.ended_at is null and s.expires_at > now() and u.disabled_at is null and a.disabled_at is null
  and coalesce(s.last_used_at, s.created_at) > now() - interval '${sessionDays.idle} days'`;
