export const incomingWebhookEndpoints = {} as const;
