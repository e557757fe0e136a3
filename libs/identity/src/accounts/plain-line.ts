// Control and format characters: line breaks, and those by which a text seems to be another one.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0]+/gu;

/** What somebody wrote about themselves, as one line that shows what it is. */
export const plainLine = (text: string): string =>
  text.normalize('NFC').replace(unseen, ' ').replace(/\s+/g, ' ').trim();
