/** The name of one handing-over. A job that must be done again gets a new generation, as Redis may remember the old one. */
export const jobIdOf = (id: string, generation: number): string => `${id}-g${generation}`;

/** BullMQ refuses colons and plain numbers, and one bad id would take its whole batch along. */
export const isJobId = (id: string): boolean => /^[\w-]{1,200}$/.test(id) && !/^\d+$/.test(id);
