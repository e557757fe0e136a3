import { describe, expect, it } from '@jest/globals';
import { hashToken, makeToken, detectTokenKind, tokenKinds } from './token.js';

describe('an opaque token', () => {
  it.each([
    ['mcp', /^lf_mcp_[0-9a-f]{64}$/],
    ['developer', /^lf_dev_[0-9a-f]{64}$/],
    ['organisation', /^lf_org_[0-9a-f]{64}$/],
    ['service', /^lf_svc_[0-9a-f]{64}$/],
  ] as const)('of the kind %s reveals only its kind', (kind, form) => {
    const { value, hash, prefix } = makeToken(kind);
    expect(value).toMatch(form);
    expect(detectTokenKind(value)).toBe(kind);
    expect(prefix).toBe(value.slice(0, 12));
    expect(hash).toEqual(hashToken(value));
    expect(hash).toHaveLength(32);
  });

  it('is unique', () => {
    const values = tokenKinds.flatMap((kind) => Array.from({ length: 500 }, () => makeToken(kind).value.slice(7)));
    expect(new Set(values).size).toBe(values.length);
  });

  const value = `lf_mcp_${'0123456789abcdef'.repeat(4)}`;

  it('is recognised by its form', () => {
    expect(detectTokenKind(value)).toBe('mcp');
  });

  it.each([
    '',
    'lf_mcp_',
    value.slice(0, -1),
    `${value}0`,
    `${value}\n`,
    ` ${value}`,
    value.toUpperCase(),
    value.replace('lf_mcp', 'lf_ref'),
    value.replace('lf_mcp', 'lf_xxx'),
    `lf_mcp_${'g'.repeat(64)}`,
    `eyJhbGciOiJub25lIn0.e30.${value}`,
  ])('is not recognised in %j', (text) => {
    expect(detectTokenKind(text)).toBeUndefined();
  });
});
