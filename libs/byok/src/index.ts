export const byokEntities = [] as const;
