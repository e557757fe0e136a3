/** A fault of a request as the server names it, such as `nodes[3].settings.url`. */
export interface Issue {
  path: string;
  message: string;
}

/** The faults that an error of the server lists. */
export function readIssues(error: unknown): Issue[] {
  const { details } = (error ?? {}) as { details?: { issues?: unknown } | null };
  return Array.isArray(details?.issues) ? (details.issues as Issue[]) : [];
}
