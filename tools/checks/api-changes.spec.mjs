import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './api-changes.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const current = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8'));

/**
 * Changes that are wanted although they break programs, word for word, each with the reason. A deprecated operation or
 * member needs no line there. A release empties it.
 */
const accepted = JSON.parse(readFileSync(`${root}tools/checks/accepted-api-changes.json`, 'utf8'));

/** The document of the last release, which `npm run release` stores. */
const released = JSON.parse(gunzipSync(readFileSync(`${root}tools/checks/released-openapi.json.gz`)));

it('the REST API has no change that breaks programs written for the last release', () => {
  expect(breakingChanges(released, current).sort()).toEqual(Object.keys(accepted).sort());
});

/** The current document with a change. */
const changed = (change) => {
  const copy = structuredClone(current);
  change(copy);
  return copy;
};
const createLens = (document) => document.paths['/v1/lenses'].post;
const newLens = (document) => document.components.schemas.NewLensRequest;
const lensRecord = (document) => document.components.schemas.LensRecord;
const listParameter = (document, name) =>
  document.paths['/v1/lenses'].get.parameters.find((parameter) => parameter.name === name);
const hookData = (document) => {
  const body = document.webhooks['run.completed'].post.requestBody.content['application/json'].schema;
  return body.$ref ? document.components.schemas[body.$ref.split('/').at(-1)] : body;
};

describe('refused', () => {
  it.each([
    ['a removed path', (d) => delete d.paths['/v1/lenses'], 'GET /v1/lenses was removed'],
    ['a removed method', (d) => delete d.paths['/v1/lenses'].post, 'POST /v1/lenses was removed'],
    ['a removed webhook', (d) => delete d.webhooks['run.failed'], 'webhook run.failed was removed'],
    [
      'a removed parameter',
      (d) =>
        (d.paths['/v1/lenses'].get.parameters = d.paths['/v1/lenses'].get.parameters.filter(
          ({ name }) => name !== 'q',
        )),
      'GET /v1/lenses: query q was removed',
    ],
    [
      'a new required parameter',
      (d) => d.paths['/v1/lenses'].get.parameters.push({ name: 'z', in: 'query', required: true, schema: {} }),
      'GET /v1/lenses: query z is new and required',
    ],
    [
      'a parameter that becomes required',
      (d) => (listParameter(d, 'q').required = true),
      'GET /v1/lenses: query q is now required',
    ],
    [
      'a lower maximum of a parameter',
      (d) => (listParameter(d, 'limit').schema.maximum = 50),
      'GET /v1/lenses: query limit: maximum was lowered from 100 to 50',
    ],
    [
      'a new required member of a body',
      (d) => {
        newLens(d).properties.reason = { type: 'string' };
        newLens(d).required.push('reason');
      },
      'POST /v1/lenses: body.reason is new and required',
    ],
    [
      'a member of a body that becomes required',
      (d) => newLens(d).required.push('visibility'),
      'POST /v1/lenses: body.visibility is now required',
    ],
    ['a removed member of a body', (d) => delete newLens(d).properties.tags, 'POST /v1/lenses: body.tags was removed'],
    [
      'another type of input',
      (d) => (newLens(d).properties.title.type = 'integer'),
      'POST /v1/lenses: body.title changed from string to integer',
    ],
    [
      'a removed value of input',
      (d) => newLens(d).properties.visibility.enum.splice(0, 1),
      `POST /v1/lenses: body.visibility no longer has ${newLens(current).properties.visibility.enum[0]}`,
    ],
    [
      'new values of open input',
      (d) => (newLens(d).properties.title.enum = ['a']),
      'POST /v1/lenses: body.title takes only a now',
    ],
    [
      'a higher minimum length',
      (d) => (newLens(d).properties.templateBody.minLength = 60),
      'POST /v1/lenses: body.templateBody: minLength was raised from 50 to 60',
    ],
    [
      'a pattern of input',
      (d) => (newLens(d).properties.title.pattern = '^[a-z]+$'),
      'POST /v1/lenses: body.title: pattern changed from \\S to ^[a-z]+$',
    ],
    [
      'a removed status',
      (d) => {
        createLens(d).responses['200'] = createLens(d).responses['201'];
        delete createLens(d).responses['201'];
      },
      'POST /v1/lenses: response 201 was removed',
    ],
    [
      'a removed member of a response',
      (d) => delete lensRecord(d).properties.title,
      'POST /v1/lenses: response 201.data.title was removed',
    ],
    [
      'a member of a response that may be absent',
      (d) => lensRecord(d).required.splice(lensRecord(d).required.indexOf('title'), 1),
      'POST /v1/lenses: response 201.data.title may be absent now',
    ],
    [
      'a member of a response that may be null',
      (d) => (lensRecord(d).properties.title.type = ['string', 'null']),
      'POST /v1/lenses: response 201.data.title changed from string to string or null',
    ],
    [
      'a removed value of a response',
      (d) => lensRecord(d).properties.status.enum.splice(0, 1),
      `POST /v1/lenses: response 201.data.status no longer has ${lensRecord(current).properties.status.enum[0]}`,
    ],
    [
      'open values of a response',
      (d) => delete lensRecord(d).properties.status.enum,
      `POST /v1/lenses: response 201.data.status is no longer one of ${lensRecord(current).properties.status.enum.join(', ')}`,
    ],
    [
      'a removed member of a webhook',
      (d) => delete hookData(d).properties.timestamp,
      'webhook run.completed: body.timestamp was removed',
    ],
    [
      'another scope',
      (d) => (createLens(d).security = [{ bearer: ['agents:write'] }]),
      'POST /v1/lenses: {"bearer":["lenses:write"]} is no longer enough',
    ],
    [
      'another format of a body',
      (d) => (createLens(d).requestBody.content = { 'text/plain': { schema: {} } }),
      'POST /v1/lenses: body application/json was removed',
    ],
  ])('%s', (_name, change, fault) => {
    expect(breakingChanges(current, changed(change))).toContain(fault);
  });

  it('a variant that is removed or narrowed', () => {
    const document = (oneOf) => ({
      paths: {
        '/a': { post: { requestBody: { content: { 'application/json': { schema: { oneOf } } } }, responses: {} } },
      },
    });
    const variant = (kind, more = {}) => ({
      type: 'object',
      properties: { kind: { const: kind }, ...more },
      required: ['kind'],
    });
    const both = document([variant('a'), variant('b', { n: { type: 'number' } })]);
    expect(
      breakingChanges(both, document([variant('c'), variant('b', { n: { type: 'number' } }), variant('a')])),
    ).toEqual([]);
    expect(breakingChanges(both, document([variant('a')]))).toHaveLength(2);
    expect(breakingChanges(both, document([variant('a'), variant('b', { n: { type: 'integer' } })]))).toEqual([
      'POST /a: body (variant 2).n changed from number to integer',
    ]);
  });
});

describe('allowed', () => {
  it.each([
    ['no change', () => undefined],
    ['an operation', (d) => (d.paths['/v1/new'] = { get: { responses: {} } })],
    ['an optional parameter', (d) => d.paths['/v1/lenses'].get.parameters.push({ name: 'z', in: 'query', schema: {} })],
    ['an optional member of a body', (d) => (newLens(d).properties.reason = { type: 'string' })],
    ['a value of input', (d) => newLens(d).properties.visibility.enum.push('unlisted')],
    ['a higher maximum', (d) => (listParameter(d, 'limit').schema.maximum = 500)],
    ['a member of a response', (d) => (lensRecord(d).properties.reason = { type: 'string' })],
    ['a value of a response', (d) => lensRecord(d).properties.status.enum.push('frozen')],
    ['a status', (d) => (createLens(d).responses['202'] = { description: 'Accepted.' })],
    ['another description', (d) => (createLens(d).description = 'Another one.')],
  ])('%s', (_name, change) => {
    expect(breakingChanges(current, changed(change))).toEqual([]);
  });

  it('the removal of what was deprecated', () => {
    const before = changed((d) => {
      createLens(d).deprecated = true;
      listParameter(d, 'q').deprecated = true;
      lensRecord(d).properties.title.deprecated = true;
    });
    const after = changed((d) => {
      delete d.paths['/v1/lenses'].post;
      d.paths['/v1/lenses'].get.parameters = d.paths['/v1/lenses'].get.parameters.filter(({ name }) => name !== 'q');
      delete lensRecord(d).properties.title;
    });
    expect(breakingChanges(before, after)).toEqual([]);
  });
});
