import { type MapSettings, maxMapItems } from '@lensforge/workflows';
import { type ExecuteNode, failed } from './node-type.js';

export const map: ExecuteNode<MapSettings> = ({ settings, evaluate }) => {
  const items = evaluate(settings.items);
  if (!Array.isArray(items)) return failed('NOT_A_LIST', 'items: its value is not a list', { retry: 'final' });
  if (items.length > maxMapItems) {
    return failed('TOO_MANY_ITEMS', `items: has ${items.length} items; the limit is ${maxMapItems}`, {
      retry: 'final',
    });
  }
  return { kind: 'mapped', items };
};
