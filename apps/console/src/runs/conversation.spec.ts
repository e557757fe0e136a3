import { expect, it } from '@jest/globals';
import { readConversation } from './conversation.js';

it('reads the turns of a conversation, with tool calls and their results', () => {
  const messages = [
    { role: 'assistant', text: '', toolCalls: [{ id: '1', name: 'look', input: { at: 'sky' } }] },
    { role: 'tool', results: [{ callId: '1', name: 'look', text: 'blue', isError: false }] },
    { role: 'assistant', text: 'It is blue.', toolCalls: [] },
    'not a message',
  ];
  expect(readConversation({ system: 'Be short.', prompt: 'Which colour?', messages })).toEqual([
    { role: 'system', text: 'Be short.' },
    { role: 'user', text: 'Which colour?' },
    { role: 'assistant → look', text: JSON.stringify({ at: 'sky' }, null, 2) },
    { role: 'look →', text: 'blue' },
    { role: 'assistant', text: 'It is blue.' },
  ]);
  expect(readConversation({ prompt: 'Alone' })).toEqual([{ role: 'user', text: 'Alone' }]);
  expect([readConversation({ Topic: 'sea' }), readConversation(null)]).toEqual([undefined, undefined]);
});
