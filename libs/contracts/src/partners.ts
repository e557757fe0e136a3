export const partnerEndpoints = {} as const;
