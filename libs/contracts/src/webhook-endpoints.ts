export const webhookEndpointEndpoints = {} as const;
