export const workflowEndpoints = {} as const;
