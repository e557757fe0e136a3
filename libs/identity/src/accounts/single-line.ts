// Control and format characters: line breaks, and characters that can disguise a text.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0]+/gu;

/** Turns untrusted text into one line without invisible characters. */
export const toSingleLine = (text: string): string =>
  text.normalize('NFC').replace(invisible, ' ').replace(/\s+/g, ' ').trim();
