/** The services that accept session tokens. */
export const audiences = ['lensforge:api', 'lensforge:mcp'] as const;
export type SessionAudience = (typeof audiences)[number];

export const accessSeconds = 3600;

export interface SessionClaims {
  sub: string;
  role: 'user' | 'anonymous';
  /** Absent until the user has chosen a handle. */
  lenser_id?: string;
  sid?: string;
  client_id?: string;
}
