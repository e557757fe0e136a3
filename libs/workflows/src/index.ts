export const workflowEntities = [] as const;
