export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest schema version whose programs run on this schema, for a migration that changes or removes what earlier
   * programs use. Without it the migration only adds, and every earlier program runs on.
   */
  readonly oldestProgram?: number;
}
