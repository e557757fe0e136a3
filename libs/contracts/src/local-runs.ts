export const localRunEndpoints = {} as const;
