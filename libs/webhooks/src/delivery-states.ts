import { stateMachine } from '@lensforge/core';

export type DeliveryState = 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled';

/** `exhausted`: all tries failed. `canceled`: its endpoint was disabled before. Any of them can be asked for again. */
export const deliveryStates = stateMachine<DeliveryState>('pending', {
  pending: ['sending', 'canceled'],
  sending: ['delivered', 'pending', 'exhausted', 'canceled'],
  delivered: ['pending'],
  exhausted: ['pending'],
  canceled: ['pending'],
});
