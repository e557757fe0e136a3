export const communityEndpoints = {} as const;
