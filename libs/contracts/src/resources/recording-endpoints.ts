import { defineEndpoints } from '../catalogue/endpoint.js';
import { PageQuery } from '../schema/paging.js';
import { Recording, RecordingImport, RecordingPath, RecordingRemoved } from './recordings.js';

const reading = { scopes: ['lenses:read'], rate: 'list' } as const;
const writing = { scopes: ['lenses:write'], rate: 'write' } as const;

export const recordingEndpoints = defineEndpoints({
  listRecordings: {
    ...reading,
    route: 'GET /v1/recordings',
    summary: 'Lists the recordings of the caller, the newest first',
    description: 'Experiments with the cache `record` make them, and importRecording does.',
    query: PageQuery,
    reply: Recording,
    replies: 'list',
  },
  importRecording: {
    ...writing,
    route: 'POST /v1/recordings',
    summary: 'Stores a file as a recording, which experiments can replay',
    description: 'A line that is not a recorded call is refused with its number.',
    body: RecordingImport,
    example: { name: 'Replies', content: '{"recording":"lensforge","version":1}\n' },
    largeBody: { bytes: 30_000_000, members: 10 },
    reply: Recording,
    status: 201,
    rate: 'expensive',
  },
  getRecording: {
    ...reading,
    route: 'GET /v1/recordings/{recordingId}',
    summary: 'Returns a recording with the number of its calls',
    description: 'The calls themselves are returned by exportRecording.',
    params: RecordingPath,
    reply: Recording,
    rate: 'read',
  },
  removeRecording: {
    ...writing,
    route: 'DELETE /v1/recordings/{recordingId}',
    summary: 'Deletes a recording',
    description: 'Experiments that replay it fail from then on.',
    params: RecordingPath,
    reply: RecordingRemoved,
  },
  exportRecording: {
    ...reading,
    route: 'GET /v1/recordings/{recordingId}/export',
    summary: 'Returns a recording as a file with a call in each line',
    description:
      'The order of the lines does not depend on when the calls were made. Secrets were removed before storage.',
    params: RecordingPath,
    replies: 'plain',
    fileTypes: ['application/x-ndjson'],
    rate: 'expensive',
  },
});
