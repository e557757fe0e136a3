import { isRecord } from '@lensforge/contracts';

/** The kinds of personal data that have a form of their own, with the test that a text of this form must pass. */
const kinds: readonly { name: string; form: RegExp; isOne?: (text: string) => boolean }[] = [
  { name: 'email', form: /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi },
  { name: 'iban', form: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, isOne: isIban },
  { name: 'phone', form: /\+\d(?:[ ()./-]{0,2}\d){7,14}\b/g },
  { name: 'card', form: /\b\d(?:[ -]?\d){12,18}\b/g, isOne: isCard },
];

/** Puts the name of its kind in the place of each e-mail address, IBAN, card number and international phone number in a value. */
export function maskPersonalData(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskPersonalData);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskPersonalData(member)]));
}

const maskText = (text: string): string =>
  kinds.reduce(
    (masked, { name, form, isOne = () => true }) =>
      masked.replace(form, (found) => (isOne(found) ? `<${name}>` : found)),
    text,
  );

/** The remainder of a number with many digits. */
const remainder = (digits: string, by: number): number =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % by, 0);

/** True for an IBAN with the right check digits (ISO 13616). */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  const moved = plain.slice(4) + plain.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return remainder(digits, 97) === 1;
}

/** True for a number with the right check digit of a card (Luhn). */
function isCard(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
