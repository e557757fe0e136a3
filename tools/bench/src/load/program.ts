import { crowd } from './crowd.js';
import { fanOut } from './fan-out.js';
import { follow } from './follow.js';
import { closedLoop, each, openLoop, fixedCount, timed } from './loops.js';
import type { Order, Outcomes } from './orders.js';
import { holdReaders, letGo } from './readers.js';

// The load generator runs in a separate process, so that it affects the measured programs only by its share of the cores.
process.on('disconnect', () => process.exit());

process.on('message', (order: Order) => {
  carryOut(order).then(
    (outcome) => process.send?.({ outcome }),
    (reason: unknown) => process.send?.({ fault: reason instanceof Error ? reason.message : String(reason) }),
  );
});

function carryOut(order: Order): Promise<Outcomes[Order['kind']]> {
  switch (order.kind) {
    case 'closed':
      return closedLoop(order);
    case 'open':
      return openLoop(order);
    case 'fixedCount':
      return fixedCount(order);
    case 'each':
      return each(order);
    case 'timed':
      return timed(order);
    case 'follow':
      return follow(order);
    case 'fan-out':
      return fanOut(order);
    case 'crowd':
      return crowd(order);
    case 'hold-readers':
      return holdReaders(order);
    case 'let-go':
      return letGo();
  }
}
