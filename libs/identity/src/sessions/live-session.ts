/** A session lives 90 days at most, and 30 days after it was last used. */
export const sessionDays = { most: 90, idle: 30 } as const;

/**
 * Holds for a row `s` of sessions, its row `u` of users and their row `a` of accounts, left joined, when the session may
 * still be used.
 */
export const liveSession = `s.ended_at is null and s.expires_at > now() and u.disabled_at is null and a.disabled_at is null
  and coalesce(s.last_used_at, s.created_at) > now() - interval '${sessionDays.idle} days'`;
