/** The id of a job in its queue. A repeated job gets a new generation, because Redis may still know the old id. */
export const toJobId = (id: string, generation: number): string => `${id}-g${generation}`;

/** BullMQ refuses ids with colons and plain numbers; one such id would fail its whole batch. */
export const isJobId = (id: string): boolean => /^[\w-]{1,200}$/.test(id) && !/^\d+$/.test(id);
