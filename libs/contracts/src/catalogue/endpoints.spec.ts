import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { type Endpoint, asksForCredential } from './endpoint.js';
import { endpoints } from './endpoints.js';
import { operatorEndpoints } from '../resources/operator.js';
import { isScope } from './scopes.js';
import { listFields } from '../schema/rules.js';

const rows = Object.entries<Endpoint>(endpoints);

/** Endpoints whose contract returns 400 for an unknown partner or battle type. */
const without404: readonly string[] = [
  'setOperatorQueue',
  'refreshPartnerToken',
  'sendPartnerClaim',
  'listLeaderboard',
  'downloadVotes',
];

describe('the endpoint table', () => {
  it('has each id and each method of a path once', () => {
    const ids = rows.map(([, { id }]) => id);
    const routes = rows.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('has scopes in every row that needs a credential, except the description, the own account and rows for people', () => {
    const without = rows.filter(([, row]) => asksForCredential(row) && row.scopes.length === 0);
    const others = without.filter(([, { audience }]) => audience !== 'people');
    expect(others.map(([id]) => id)).toEqual([
      'getApiDescription',
      'getMe',
      'exportMe',
      'closeMe',
      'listSessions',
      'endOtherSessions',
      'endSession',
      ...Object.keys(operatorEndpoints),
    ]);
  });

  describe.each(rows)('%s', (name, row) => {
    const { id, method, path, params, query, body, reply, status, scopes, rate, errors, replies } = row;

    it('has its own name as id', () => {
      expect(id).toBe(name);
    });

    it('has a summary of one line and a description in full sentences, which say different things', () => {
      const { summary, description } = row;
      expect(summary).toMatch(/^[A-Z][^\n]{5,150}[^.\n]$/);
      expect(description).toMatch(/^[[A-Za-z][^\n]{30,500}\.$/);
      expect(description).not.toContain(summary);
    });

    it('has a params class with exactly the parameters of its path', () => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
      expect(params ? [...listFields(params).keys()] : []).toEqual(named);
    });

    it('needs a credential exactly under /v1, with known scopes', () => {
      expect(asksForCredential(row)).toBe(path.startsWith('/v1/') && !row.rawBody);
      expect(scopes.filter((scope) => !isScope(scope))).toEqual([]);
    });

    it('declares each error status that its parts can cause, once and in order', () => {
      const expected = new Set<number>();
      if (asksForCredential(row)) for (const one of [401, 403]) expected.add(one);
      if (params && !without404.includes(id)) expected.add(404);
      // Every endpoint refuses unknown query parameters.
      if (asksForCredential(row) || (params ?? query ?? body)) expected.add(400);
      if (body) for (const one of [413, 415]) expected.add(one);
      if (rate !== 'none') expected.add(429);
      expect(errors).toEqual(expect.arrayContaining([...expected]));
      expect(errors).toEqual([...new Set(errors)].sort((a, b) => a - b));
      expect(errors).not.toContain(status);
    });

    it('has a body only where the method allows one, and a reply unless it streams or is a file', () => {
      if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined();
      // A plain reply without a class is a file.
      if (replies !== 'plain') expect(reply === undefined).toBe(replies === 'event-stream');
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(300);
    });
  });
});
