/** SQL columns of an invite without its token. */
export const inviteSummary = `id, role, invited_by as "invitedBy", iso(created_at) as "createdAt",
  iso(expires_at) as "expiresAt", accepted_by as "acceptedBy", iso(accepted_at) as "acceptedAt",
  iso(revoked_at) as "revokedAt"`;
