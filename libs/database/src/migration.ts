export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * A statement that changes stored rows in parts: it takes the `position` that the part before has returned, null at first, and
   * returns null after the last part. Each part is a transaction. Every call of `migrate` repeats it, so that an interrupted one
   * is completed.
   */
  readonly batches?: string;
  /**
   * The oldest schema version whose programs run on this schema, for a migration that changes or removes what earlier
   * programs use. Without it the migration only adds, and every earlier program runs on.
   */
  readonly oldestProgram?: number;
}
