export const creditEndpoints = {} as const;
