export const byokKeyEndpoints = {} as const;
