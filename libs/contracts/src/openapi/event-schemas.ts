import { agentEvents } from '../catalogue/agent-events.js';
import { battleEvents } from '../catalogue/battle-events.js';
import { experimentEvents } from '../catalogue/experiment-events.js';
import { platformEvents } from '../catalogue/platform-events.js';
import { runEvents } from '../catalogue/run-events.js';
import { threadEvents } from '../catalogue/thread-events.js';
import { jsonSchema } from '../schema/json-schema.js';
import { type Json, jsonBody, ref } from './json.js';
import type { Shape } from '../schema/rules.js';

type Events = Readonly<Record<string, Shape>>;

interface Log {
  events: Events;
  /** The member that has the id of the resource. */
  idMember: string;
  /** Members of some events. */
  others?: Json;
}

const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };

const logs: Readonly<Record<string, Log>> = {
  RunStreamEvent: { events: runEvents, idMember: 'runId' },
  BattleStreamEvent: { events: battleEvents, idMember: 'battleId' },
  ExperimentStreamEvent: { events: experimentEvents, idMember: 'experimentId' },
  AgentStreamEvent: {
    events: agentEvents,
    idMember: 'aiLenserId',
    others: { runId: { type: ['string', 'null'], format: 'uuid' } },
  },
  ThreadStreamEvent: { events: threadEvents, idMember: 'threadId' },
};

const schemaByPath: Readonly<Record<string, string>> = {
  '/v1/runs/{runId}/events': 'RunStreamEvent',
  '/v1/run-events': 'RunStreamEvent',
  '/v1/battles/{battleId}/events': 'BattleStreamEvent',
  '/v1/experiments/{experimentId}/events': 'ExperimentStreamEvent',
  '/v1/agents/{aiLenserId}/events': 'AgentStreamEvent',
  '/v1/threads/{threadId}/events': 'ThreadStreamEvent',
};

const eventSchema = (eventType: string, payload: Json, ids: Json): Json => ({
  type: 'object',
  title: eventType,
  properties: { eventType: { const: eventType }, payload, occurredAt: time, ...ids },
  required: ['eventType', 'payload', 'occurredAt'],
});

const logSchema = ({ events, idMember, others }: Log): Json => {
  const ids = { [idMember]: uuid, sequence: { type: 'integer', minimum: 1 }, ...others };
  const done = eventSchema('done', { type: 'object', additionalProperties: true }, {});
  return {
    description: 'The data of a frame. Its event line has the eventType, its id line the number to resume after.',
    oneOf: [...Object.entries(events).map(([type, shape]) => eventSchema(type, { ...jsonSchema(shape) }, ids)), done],
  };
};

/** The schemas of the events of all streams. */
export const eventSchemas = (): Json =>
  Object.fromEntries(Object.entries(logs).map(([name, log]) => [name, logSchema(log)]));

/** The content of a stream. OpenAPI 3.1 has no schema for frames, so `x-event-schema` has that of their data. */
export function streamContent(path: string): Json {
  const name = schemaByPath[path];
  if (name === undefined) throw new Error(`the events of ${path} have no schema: add it to openapi/event-schemas.ts`);
  return { 'text/event-stream': { schema: { type: 'string' }, 'x-event-schema': ref('schemas', name) } };
}

const header = (description: string): Json => ({ description, required: true, schema: { type: 'string' } });

const signatureHeaders = [
  ['X-Service-Event-Id', 'The id of the event, which is the same in every attempt, redelivery and replay.'],
  ['X-Service-Signature', 'sha256= and the hexadecimal HMAC-SHA-256 of the body with the secret.'],
  ['webhook-id', 'The id of the event.'],
  ['webhook-timestamp', 'The time of the attempt in seconds since 1970.'],
  ['webhook-signature', 'Signatures of Standard Webhooks, one for each valid secret.'],
].map(([name = '', description = '']) => ({ name, in: 'header', ...header(description) }));

const delivery = (event: string, shape: Shape): Json => ({
  post: {
    operationId: `on.${event}`,
    tags: ['Webhook endpoints'],
    summary: `Delivers the event ${event}`,
    description:
      'Verify a signature over the raw bytes of the body, skip ids that were processed before, answer with a 2xx status within 10 seconds, and do the work afterwards. See docs/webhooks.md.',
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: jsonBody({
        type: 'object',
        properties: {
          id: uuid,
          event: { const: event },
          timestamp: time,
          data: jsonSchema(shape),
          signature: { type: 'string' },
        },
        required: ['id', 'event', 'timestamp', 'data', 'signature'],
      }),
    },
    responses: {
      '2XX': { description: 'The receiver has accepted the event.' },
      410: { description: 'The endpoint is disabled at once.' },
      default: { description: 'The delivery is repeated, up to four attempts in all.' },
    },
  },
});

/** The requests that the platform sends to webhook endpoints. */
export const webhooks = (): Json =>
  Object.fromEntries(Object.entries<Shape>(platformEvents).map(([event, shape]) => [event, delivery(event, shape)]));
