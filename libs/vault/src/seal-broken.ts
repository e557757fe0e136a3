export type SealFault = 'malformed' | 'unknown_key' | 'not_authentic';

const sentences: Record<SealFault, string> = {
  malformed: 'is not a sealed value (too short, cut off, or of an unknown format)',
  unknown_key: 'was sealed with a master key version that is not in the key ring',
  not_authentic: 'was altered, moved from another row, or sealed with another master key',
};

/** A sealed value cannot be opened. */
export class SealBroken extends Error {
  override name = 'SealBroken';

  constructor(
    readonly fault: SealFault,
    readonly where: string,
    readonly keyVersion?: number,
  ) {
    super(`${where} ${sentences[fault]}${keyVersion === undefined ? '' : ` (key version ${keyVersion})`}`);
  }
}
