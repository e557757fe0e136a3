import { isRecord } from '@lensforge/contracts';
import { refuse } from './requests.js';
import { toOutputSchema } from './to-output-schema.js';

/** The JSON Schema of the answer that a request asks for; undefined for a text. */
export function readFormat(format: unknown, path: string): Record<string, unknown> | undefined {
  if (format === undefined) return undefined;
  const type: unknown = isRecord(format) ? format['type'] : undefined;
  if (type === 'text') return undefined;
  if (type === 'json_object') return { type: 'object' };
  if (!isRecord(format) || type !== 'json_schema')
    throw refuse(path, 'must have the type text, json_object or json_schema');
  const schema: unknown = isRecord(format['json_schema']) ? format['json_schema']['schema'] : format['schema'];
  if (!isRecord(schema)) throw refuse(path, 'must have a JSON Schema in schema');
  return toOutputSchema(schema, path);
}

const maxStops = 4;

export function readStop(stop: unknown): string[] | undefined {
  if (stop === undefined) return undefined;
  const stops: unknown[] = Array.isArray(stop) ? stop : [stop];
  const isStop = (each: unknown): each is string => typeof each === 'string' && each.length > 0 && each.length <= 100;
  if (stops.length > maxStops || !stops.every(isStop))
    throw refuse('stop', `must be a text or up to ${maxStops} texts of 1 to 100 characters`);
  return stops.length > 0 ? stops : undefined;
}

/** The notes of a request, and the parameters of its lens or workflow among them, which may be a JSON text. */
export function readMetadata(metadata: Record<string, unknown> | undefined): {
  metadata?: Record<string, unknown>;
  params?: Record<string, unknown>;
} {
  if (!metadata) return {};
  const { params, ...notes } = metadata;
  const kept = Object.keys(notes).length > 0 && { metadata: notes };
  return params === undefined ? { ...kept } : { ...kept, params: readParams(params) };
}

function readParams(params: unknown): Record<string, unknown> {
  const value = typeof params === 'string' ? parsed(params) : params;
  if (isRecord(value)) return value;
  throw refuse('metadata.params', 'must be a JSON object with the parameters, or its text');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
