import { defineEndpoints } from '../catalogue/endpoint.js';
import { PageQuery } from '../schema/paging.js';
import {
  ScorerCreate,
  ScorerCreated,
  ScorerPath,
  ScorerRemoved,
  ScorerTest,
  ScorerTested,
  ScorerUpdate,
  ScorerVersionQuery,
  StoredScorer,
} from './scorers.js';

const reading = { scopes: ['lenses:read'], rate: 'list' } as const;
const writing = { scopes: ['lenses:write'], rate: 'write' } as const;

export const scorerEndpoints = defineEndpoints({
  listScorers: {
    ...reading,
    route: 'GET /v1/scorers',
    summary: 'Lists the scorers of the caller, the newest first',
    description: 'Each is listed in its newest version.',
    query: PageQuery,
    reply: StoredScorer,
    replies: 'list',
  },
  createScorer: {
    ...writing,
    route: 'POST /v1/scorers',
    summary: 'Stores a scorer, for several experiments',
    description:
      'A name that another scorer of the caller has is 409. The secret of a scorer of the kind http is only in this reply.',
    body: ScorerCreate,
    example: { name: 'polite', rule: { kind: 'check', assertions: [{ type: 'icontains', value: 'please' }] } },
    largeBody: { bytes: 1_000_000, members: 10_000 },
    reply: ScorerCreated,
    status: 201,
    errors: [409],
  },
  getScorer: {
    ...reading,
    route: 'GET /v1/scorers/{scorerId}',
    summary: 'Returns a scorer in its newest or another version',
    description: 'Versions do not change: a score that names one can be made again.',
    params: ScorerPath,
    query: ScorerVersionQuery,
    reply: StoredScorer,
    rate: 'read',
  },
  updateScorer: {
    ...writing,
    route: 'PUT /v1/scorers/{scorerId}',
    summary: 'Makes a new version of a scorer',
    description: 'A rule that is the same as the newest one makes none. The kind stays.',
    params: ScorerPath,
    body: ScorerUpdate,
    example: { rule: { kind: 'check', assertions: [{ type: 'icontains', value: 'thank' }] } },
    largeBody: { bytes: 1_000_000, members: 10_000 },
    reply: StoredScorer,
  },
  removeScorer: {
    ...writing,
    route: 'DELETE /v1/scorers/{scorerId}',
    summary: 'Deletes a scorer with its versions',
    description: 'Experiments keep the rules that they have scored with.',
    params: ScorerPath,
    reply: ScorerRemoved,
  },
  testScorer: {
    ...writing,
    route: 'POST /v1/scorers/{scorerId}/test',
    summary: 'Scores outputs without an experiment',
    description:
      'A judge is asked in runs of the caller, and waited for up to 25 seconds; a score that is not there then has an error.',
    params: ScorerPath,
    body: ScorerTest,
    example: { samples: [{ output: 'Thank you.' }] },
    largeBody: { bytes: 3_000_000, members: 10_000 },
    reply: ScorerTested,
    rate: 'expensive',
    waitsMs: 25_000,
  },
});
