export const connectorEndpoints = {} as const;
