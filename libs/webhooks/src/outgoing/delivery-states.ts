import { type StateMachine, stateMachine } from '@lensforge/core';

export type DeliveryState = 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled';

/** `exhausted`: all attempts failed. `canceled`: the endpoint was disabled. A delivery can be repeated after any end. */
export const deliveryStates: StateMachine<DeliveryState> = stateMachine('pending', {
  pending: ['sending', 'canceled'],
  sending: ['delivered', 'pending', 'exhausted', 'canceled'],
  delivered: ['pending'],
  exhausted: ['pending'],
  canceled: ['pending'],
});
