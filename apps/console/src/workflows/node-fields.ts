import type { workflowsTexts } from '../view-texts/workflows';
import type { SourceName } from './node-sources';

type FieldName = keyof typeof workflowsTexts.fields;

/** A thing that is picked by its name. */
export interface Pick {
  from: SourceName;
  /** The setting with the lens or workflow whose versions are offered. */
  of?: FieldName;
}

/** The kind of a value, which decides how it is changed. */
export interface SettingKind {
  name: string;
  kind: 'text' | 'long' | 'number' | 'flag' | 'agents' | readonly string[] | Pick;
  hint?: string | undefined;
  /** The whole field is an expression, or a member can be one as `{"$": …}`. */
  expression?: 'always' | 'optional';
}

/** A setting of a node that has a field of its own; all others are changed as JSON. */
export interface NodeField extends SettingKind {
  name: FieldName;
  /** The text of its label in workflowsTexts.fields; that of the name when absent. */
  label?: FieldName;
}

const expires: NodeField = { name: 'expiresInSeconds', kind: 'number' };

/** The fields of the settings of each node type; docs/workflows.md describes the settings. */
export const nodeFields: Readonly<Record<string, readonly NodeField[]>> = {
  lens: [
    { name: 'lensId', kind: { from: 'lens' } },
    { name: 'version', kind: { from: 'lensVersion', of: 'lensId' }, expression: 'optional' },
    { name: 'model', kind: { from: 'model' }, expression: 'optional' },
  ],
  transform: [{ name: 'expression', kind: 'long', hint: 'inputs.name, nodes.draft.output.text', expression: 'always' }],
  assert: [
    { name: 'condition', kind: 'long', hint: 'nodes.score.output >= 0.9', expression: 'always' },
    { name: 'message', label: 'failure', kind: 'long', expression: 'optional' },
  ],
  http: [
    { name: 'method', kind: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], expression: 'optional' },
    { name: 'url', kind: 'text', expression: 'optional' },
    { name: 'anyStatus', kind: 'flag', expression: 'optional' },
  ],
  map: [
    { name: 'items', kind: 'text', hint: 'inputs.items', expression: 'always' },
    { name: 'concurrency', kind: 'number' },
    { name: 'onItemError', kind: ['fail', 'continue'] },
  ],
  workflow: [
    { name: 'workflowId', kind: { from: 'workflow' } },
    {
      name: 'version',
      label: 'workflowVersion',
      kind: { from: 'workflowVersion', of: 'workflowId' },
      expression: 'optional',
    },
  ],
  delay: [{ name: 'seconds', kind: 'number', expression: 'optional' }],
  approval: [
    { name: 'message', kind: 'long', expression: 'optional' },
    expires,
    { name: 'onExpire', kind: ['reject', 'approve', 'continue', 'fail'] },
    { name: 'onReject', kind: ['continue', 'fail'] },
  ],
  webhook_wait: [expires, { name: 'onExpire', kind: ['fail', 'continue'] }],
  agent: [
    { name: 'agent', kind: { from: 'agent' } },
    { name: 'prompt', kind: 'long', expression: 'optional' },
    { name: 'model', kind: { from: 'model' }, expression: 'optional' },
  ],
  vote: [
    { name: 'agents', kind: 'agents' },
    { name: 'prompt', kind: 'long', expression: 'optional' },
    { name: 'judgeModel', kind: { from: 'model' }, expression: 'optional' },
  ],
};

type Settings = Readonly<Record<string, unknown>>;

/** The settings of a node as members; anything else has none. */
export const toSettings = (value: unknown): Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};

export const isPick = (kind: SettingKind['kind']): kind is Pick => typeof kind === 'object' && 'from' in kind;

const isNumeric = (kind: SettingKind['kind']): boolean =>
  kind === 'number' || (isPick(kind) && kind.from === 'workflowVersion');

/** The value of a field as an expression. */
export const toExpression = ({ kind }: SettingKind, text: string): string =>
  text === '' || isNumeric(kind) || kind === 'flag' ? text : JSON.stringify(text);

/** Settings with another value of a field. An empty text removes the member. */
export function withField(settings: Settings, { name, kind }: SettingKind, value: string | boolean): Settings {
  const { [name]: _before, ...rest } = settings;
  if (value === '' || value === false) return rest;
  return { ...rest, [name]: isNumeric(kind) ? Number(value) : value };
}

/** The text of a field; undefined for a value that a field cannot show, such as an expression in a member. */
export function textOfField(settings: Settings, { name }: SettingKind): string | undefined {
  const value = settings[name];
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text of a member that is an expression, `{"$": "…"}`; undefined for any other value. */
export function expressionOfField(settings: Settings, { name }: { name: string }): string | undefined {
  const { $: text, ...others } = toSettings(settings[name]);
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : undefined;
}

/** Settings with a member as an expression. */
export const withExpression = (settings: Settings, { name }: SettingKind, text: string): Settings => ({
  ...settings,
  [name]: { $: text },
});

/** The options of a node that are numbers, with the member of its `retry`, if it is one. */
export const retryFields = ['attempts', 'delaySeconds', 'factor'] as const;

/** The `retry` of a node with another value of a member; undefined when nothing is left. */
export function withRetry(retry: unknown, name: (typeof retryFields)[number], text: string): object | undefined {
  const { [name]: _before, ...rest } = toSettings(retry);
  const after = text === '' ? rest : { ...rest, [name]: Number(text) };
  return Object.keys(after).length === 0 ? undefined : after;
}
