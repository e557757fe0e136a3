export const tokenEndpoints = {} as const;
