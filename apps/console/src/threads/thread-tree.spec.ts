import { expect, it } from '@jest/globals';
import { canEdit, buildThreads } from './thread-tree';

it('puts replies below their message, in order, and leaves those of earlier pages alone', () => {
  const messages = [
    { id: 'a', parentId: null },
    { id: 'b', parentId: 'a' },
    { id: 'c', parentId: null },
    { id: 'd', parentId: 'a' },
    { id: 'e', parentId: 'earlier' },
  ];
  expect(buildThreads(messages).map(({ message, replies }) => [message.id, replies.map(({ id }) => id)])).toEqual([
    ['a', ['b', 'd']],
    ['c', []],
    ['e', []],
  ]);
});

it('offers an edit for 15 minutes, of visible messages', () => {
  const createdAt = '2026-01-01T12:00:00Z';
  const at = (minutes: number): number => Date.parse(createdAt) + minutes * 60_000;
  expect([14, 15].map((minutes) => canEdit({ status: 'visible', createdAt }, at(minutes)))).toEqual([true, false]);
  expect(canEdit({ status: 'hidden', createdAt }, at(1))).toBe(false);
});
