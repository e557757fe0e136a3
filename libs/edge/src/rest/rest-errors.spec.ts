import { type ErrorCode, InvalidInput, errorCodes, restErrorCodes } from '@lensforge/contracts';
import { faultOfDetails } from '@lensforge/contracts/testing';
import { DomainError } from '@lensforge/core';
import { describe, expect, it } from '@jest/globals';
import { restFault } from './rest-errors.js';

const pg = (code: string) => Object.assign(new Error('database message'), { code });

describe('restFault', () => {
  it.each(errorCodes)('translates the domain error %s to a status and an error code', (code) => {
    const fault = restFault(new DomainError(code, 'the message', { because: 1 }));
    expect(fault.status).toBeGreaterThanOrEqual(400);
    expect(restErrorCodes).toContain(fault.code);
    expect(fault.message).toBe('the message');
  });

  it.each<[ErrorCode, Readonly<Record<string, unknown>> | undefined, object | undefined]>([
    ['BAD_INPUT', undefined, { issues: [{ path: '', message: 'the message' }] }],
    ['BAD_INPUT', { issues: [{ path: 'a', message: 'b' }] }, { issues: [{ path: 'a', message: 'b' }] }],
    ['MISSING_PARAMS', { missing: ['A'] }, { issues: [{ path: 'params.A', message: 'is required' }], missing: ['A'] }],
    ['INSUFFICIENT_SCOPE', { scope: 'lenses:read' }, { scopes: ['lenses:read'] }],
    ['THROTTLED', { retryAfter: 40 }, { retryAfter: 40 }],
    ['RATE_LIMITED', { limit: 3 }, { limit: 3, retryAfter: 1 }],
    ['UNAUTHENTICATED', { error: 'invalid_client' }, undefined],
    ['NOT_FOUND', undefined, undefined],
    ['CONFLICT', { status: 'approved' }, { status: 'approved' }],
  ])('gives %s with the details %j the details of its code', (code, given, expected) => {
    const fault = restFault(new DomainError(code, 'the message', given));
    expect(fault.details).toEqual(expected);
    expect(faultOfDetails(fault.code, fault.details)).toBeUndefined();
  });

  it('adds the headers of the status', () => {
    expect(restFault(new DomainError('UNAUTHENTICATED', 'x')).headers).toEqual({ 'www-authenticate': 'Bearer' });
    expect(restFault(new DomainError('INSUFFICIENT_SCOPE', 'x', { scope: 'a:read' })).headers).toEqual({
      'www-authenticate': 'Bearer error="insufficient_scope", scope="a:read"',
    });
    expect(restFault(new DomainError('THROTTLED', 'x', { retryAfter: 40 })).headers).toEqual({ 'retry-after': '40' });
    expect(restFault(new DomainError('UNAVAILABLE', 'x')).headers).toEqual({ 'retry-after': '1' });
  });

  it('lists all faults of an input in details, and the first three in the message', () => {
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
  ])('translates the database error %s to %i %s', (state, status, code) => {
    const fault = restFault(pg(state));
    expect(fault).toMatchObject({ status, code });
    expect(fault.message).not.toContain('database message');
    expect(fault.headers).toEqual(status === 503 ? { 'retry-after': '1' } : {});
  });

  it.each([[new Error('inner')], ['a text'], [undefined], [null], [{ statusCode: 400 }], [{ statusCode: 999 }]])(
    'translates an unexpected error to 500 without its message',
    (thrown) => {
      expect(restFault(thrown)).toMatchObject({ status: 500, code: 'internal_error' });
      expect(restFault(thrown).message).not.toContain('inner');
    },
  );
});
