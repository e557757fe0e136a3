export const scheduleEndpoints = {} as const;
