import { expect, it } from '@jest/globals';
import { toVisible } from './visible-text.js';

it('shows the characters that change the order of a text or have no width', () => {
  expect(toVisible('pay \u202e001\u202c now\u200b')).toBe('pay ⟨U+202E⟩001⟨U+202C⟩ now⟨U+200B⟩');
  expect(toVisible('שלום and 日本, a\nline')).toBe('שלום and 日本, a\nline');
});
