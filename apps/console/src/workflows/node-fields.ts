import type { texts } from '../texts';

type FieldName = keyof typeof texts.workflows.fields;

/** A setting of a node that has a field of its own; all others are changed as JSON. */
export interface NodeField {
  /** Its label is texts.workflows.fields[name]. */
  name: FieldName;
  kind: 'text' | 'long' | 'number' | 'flag' | readonly string[];
  hint?: string;
}

const expires: NodeField = { name: 'expiresInSeconds', kind: 'number' };

/** The fields of the settings of each node type; docs/workflows.md describes the settings. */
export const nodeFields: Readonly<Record<string, readonly NodeField[]>> = {
  lens: [
    { name: 'lensId', kind: 'text' },
    { name: 'version', kind: 'text' },
    { name: 'model', kind: 'text' },
  ],
  transform: [{ name: 'expression', kind: 'long', hint: 'inputs.name, nodes.draft.output.text' }],
  http: [
    { name: 'method', kind: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    { name: 'url', kind: 'text' },
    { name: 'anyStatus', kind: 'flag' },
  ],
  map: [
    { name: 'items', kind: 'text', hint: 'inputs.items' },
    { name: 'concurrency', kind: 'number' },
    { name: 'onItemError', kind: ['fail', 'continue'] },
  ],
  workflow: [{ name: 'workflowId', kind: 'text' }],
  delay: [{ name: 'seconds', kind: 'number' }],
  approval: [
    { name: 'message', kind: 'long' },
    expires,
    { name: 'onExpire', kind: ['reject', 'approve', 'continue', 'fail'] },
    { name: 'onReject', kind: ['continue', 'fail'] },
  ],
  webhook_wait: [expires, { name: 'onExpire', kind: ['fail', 'continue'] }],
  agent: [
    { name: 'agent', kind: 'text' },
    { name: 'prompt', kind: 'long' },
    { name: 'model', kind: 'text' },
  ],
  vote: [{ name: 'prompt', kind: 'long' }],
};

type Settings = Readonly<Record<string, unknown>>;

/** The settings of a node as members; anything else has none. */
export const settingsOf = (value: unknown): Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};

/** Settings with another value of a field. An empty text removes the member. */
export function withField(settings: Settings, { name, kind }: NodeField, value: string | boolean): Settings {
  const { [name]: _before, ...rest } = settings;
  if (value === '' || value === false) return rest;
  return { ...rest, [name]: kind === 'number' ? Number(value) : value };
}

/** The text of a field; undefined for a value that a field cannot show, such as an expression in a member. */
export function textOfField(settings: Settings, { name }: NodeField): string | undefined {
  const value = settings[name];
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
}
