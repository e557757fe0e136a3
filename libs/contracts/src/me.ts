export const meEndpoints = {} as const;
