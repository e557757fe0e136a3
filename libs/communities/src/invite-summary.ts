/** What its community is told of an invite, in SQL; never what opens it. */
export const inviteSummary = `id, role, invited_by as "invitedBy", iso(created_at) as "createdAt",
  iso(expires_at) as "expiresAt", accepted_by as "acceptedBy", iso(accepted_at) as "acceptedAt",
  iso(revoked_at) as "revokedAt"`;
