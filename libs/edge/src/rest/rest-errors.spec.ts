import type { ErrorCode } from '@lensforge/contracts';
import { InvalidInput, errorCodes, restErrorCodes } from '@lensforge/contracts';
import { faultOfDetails } from '@lensforge/contracts/testing';
import { DomainError } from '@lensforge/core';
import { describe, expect, it } from '@jest/globals';
import { restFault } from './rest-errors.js';

const pg = (code: string) => Object.assign(new Error('what the database said'), { code });

describe('an error on its way out', () => {
  it.each(errorCodes)('has a status and an error code when the domain says %s', (code) => {
    const fault = restFault(new DomainError(code, 'said so', { because: 1 }));
    expect(fault.status).toBeGreaterThanOrEqual(400);
    expect(restErrorCodes).toContain(fault.code);
    expect(fault.message).toBe('said so');
  });

  it.each<[ErrorCode, Readonly<Record<string, unknown>> | undefined, object | undefined]>([
    ['BAD_INPUT', undefined, { issues: [{ path: '', message: 'said so' }] }],
    ['BAD_INPUT', { issues: [{ path: 'a', message: 'b' }] }, { issues: [{ path: 'a', message: 'b' }] }],
    ['MISSING_PARAMS', { missing: ['A'] }, { issues: [{ path: 'params.A', message: 'is required' }], missing: ['A'] }],
    ['INSUFFICIENT_SCOPE', { scope: 'lenses:read' }, { scopes: ['lenses:read'] }],
    ['THROTTLED', { retryAfter: 40 }, { retryAfter: 40 }],
    ['RATE_LIMITED', { limit: 3 }, { limit: 3, retryAfter: 1 }],
    ['UNAUTHENTICATED', { error: 'invalid_client' }, undefined],
    ['NOT_FOUND', undefined, undefined],
    ['CONFLICT', { status: 'approved' }, { status: 'approved' }],
  ])('says %s with %j in the shape of its code', (code, given, said) => {
    const fault = restFault(new DomainError(code, 'said so', given));
    expect(fault.details).toEqual(said);
    expect(faultOfDetails(fault.code, fault.details)).toBeUndefined();
  });

  it('carries the headers its status asks for', () => {
    expect(restFault(new DomainError('UNAUTHENTICATED', 'x')).headers).toEqual({ 'www-authenticate': 'Bearer' });
    expect(restFault(new DomainError('INSUFFICIENT_SCOPE', 'x', { scope: 'a:read' })).headers).toEqual({
      'www-authenticate': 'Bearer error="insufficient_scope", scope="a:read"',
    });
    expect(restFault(new DomainError('THROTTLED', 'x', { retryAfter: 40 })).headers).toEqual({ 'retry-after': '40' });
    expect(restFault(new DomainError('UNAVAILABLE', 'x')).headers).toEqual({ 'retry-after': '1' });
  });

  it('lists the faults of an input and says the first of them', () => {
    const issues = ['a', 'b', 'c', 'd'].map((path) => ({ path, message: 'must be short' }));
    const fault = restFault(new InvalidInput(issues));
    expect(fault).toMatchObject({ status: 400, code: 'invalid_request', details: { issues } });
    expect(fault.message).toBe(
      'The request is not valid: a must be short; b must be short; c must be short; and 1 more',
    );
  });

  it.each([
    ['22P02', 400, 'invalid_request'],
    ['22021', 400, 'invalid_request'],
    ['23502', 400, 'invalid_request'],
    ['23514', 400, 'invalid_request'],
    ['23505', 409, 'conflict'],
    ['23503', 409, 'conflict'],
    ['57P01', 503, 'service_unavailable'],
    ['08006', 503, 'service_unavailable'],
    ['57014', 503, 'service_unavailable'],
    ['55P03', 503, 'service_unavailable'],
    ['53300', 503, 'service_unavailable'],
    ['ECONNREFUSED', 503, 'service_unavailable'],
    ['42P01', 500, 'internal_error'],
  ])('is what the database meant by %s: %i', (state, status, code) => {
    const fault = restFault(pg(state));
    expect(fault).toMatchObject({ status, code });
    expect(fault.message).not.toContain('database said');
    expect(fault.headers).toEqual(status === 503 ? { 'retry-after': '1' } : {});
  });

  it.each([[new Error('inner')], ['a text'], [undefined], [null], [{ statusCode: 400 }], [{ statusCode: 999 }]])(
    'is our own fault when nobody foresaw it, without a word of what it was',
    (thrown) => {
      expect(restFault(thrown)).toMatchObject({ status: 500, code: 'internal_error' });
      expect(restFault(thrown).message).not.toContain('inner');
    },
  );
});
