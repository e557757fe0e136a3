export const modelEndpoints = {} as const;
