/** Characters that change the order of the text around them or have no width, so that a text reads as another one. */
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** A text as it is, with a sign for each character that a reader could not see. */
export const toVisible = (text: string): string =>
  text.replace(hidden, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
