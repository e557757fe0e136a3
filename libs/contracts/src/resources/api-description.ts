import { defineEndpoints } from '../catalogue/endpoint.js';

export const apiDescriptionEndpoints = defineEndpoints({
  getApiDescription: {
    route: 'GET /v1/openapi.json',
    summary: 'Downloads the description of this API as an OpenAPI 3.1 document',
    description:
      'Every kind of credential can call it, also an anonymous token. The document describes the version of the API that answers, and is sent without the envelope. Its ETag changes with the document, so a request with If-None-Match gets 304 while it is the same.',
    headers: { 'If-None-Match': 'The ETag of a document that the caller has.' },
    scopes: [],
    audience: 'public',
    withoutHandle: true,
    rate: 'read',
    fileTypes: ['application/json'],
    replies: 'plain',
  },
});
