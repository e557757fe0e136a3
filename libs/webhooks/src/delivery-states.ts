import { stateMachine } from '@lensforge/core';

export type DeliveryState = 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled';

/** `exhausted`: all tries failed. `canceled`: its endpoint was disabled before. */
export const deliveryStates = stateMachine<DeliveryState>('pending', {
  pending: ['sending', 'canceled'],
  sending: ['delivered', 'pending', 'exhausted', 'canceled'],
  delivered: [],
  exhausted: [],
  canceled: [],
});
