/** The factor of all timeouts where a configuration gives none. */
export const readPatience = (): number =>
  // oxlint-disable-next-line lensforge/environment-at-the-edge -- specs and small programs connect without a configuration
  Number(process.env['DATABASE_PATIENCE'] ?? 1);
