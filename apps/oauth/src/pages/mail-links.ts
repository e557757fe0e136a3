/** The token without its prefix, which the log would redact; so links in the development log work. */
export const inLink = (token: string): string => token.replace(/^lf_[a-z]+_/, '');

export const fromLink = (kind: 'sup' | 'rst', value: string | undefined): string | undefined =>
  value !== undefined && /^[0-9a-f]{64}$/.test(value) ? `lf_${kind}_${value}` : undefined;
