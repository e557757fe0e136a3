import { badInput, isUuid } from '@lensforge/core';
import { valid } from 'semver';

const pattern = /^[a-z][a-z0-9._-]{0,63}$/;
const reserved = ['head', 'latest'];

/** True for names of versions that can only be labels. */
export const isLabelName = (name: string): boolean => pattern.test(name) && !isUuid(name);

/** Refuses labels that could be read as an id or version number. */
export function requireValidLabel(label: string): void {
  if (pattern.test(label) && !reserved.includes(label) && !isUuid(label) && valid(label) === null) return;
  throw badInput(
    'label',
    `"${label.slice(0, 80)}" cannot be a label: use 1 to 64 characters of a-z 0-9 . _ - beginning with a letter, and not ${reserved.join(' or ')}`,
  );
}
