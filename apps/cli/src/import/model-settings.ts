import type { shapes } from '@lensforge/sdk';
import { isRecord } from '../eval/config-source.js';
import type { Notes } from './plan.js';

/** The models of the platform as provider/key. */
export type KnownModels = ReadonlySet<string>;

export interface SettingsSource {
  notes: Notes;
  where: string;
  models: KnownModels;
  /** Members that say nothing about a model. */
  others?: ReadonlySet<string>;
}

const names: Readonly<Record<string, keyof shapes.Sampling>> = {
  temperature: 'temperature',
  top_p: 'topP',
  topP: 'topP',
  max_tokens: 'maxOutputTokens',
  maxTokens: 'maxOutputTokens',
  max_output_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  maxOutputTokens: 'maxOutputTokens',
  seed: 'seed',
  stop: 'stop',
  reasoning_effort: 'reasoningEffort',
};

/** The settings of a call of a model, in the members that OpenAI gave them. What has no equal is noted. */
export function readModelSettings(
  given: Readonly<Record<string, unknown>>,
  source: SettingsSource,
): shapes.LensSettings | null {
  if (isOwn(given['settings'])) return given['settings'];
  const settings: shapes.LensSettings = {};
  const sampling: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || source.others?.has(name)) continue;
    const member = names[name];
    if (member !== undefined) sampling[member] = member === 'stop' ? [value].flat() : value;
    else if (name === 'model') readModel(settings, value, source);
    else if (name === 'reasoning' && isRecord(value) && typeof value['effort'] === 'string')
      sampling['reasoningEffort'] = value['effort'];
    else if (name === 'tools') readTools(settings, value, source);
    else if (name === 'response_format') readSchema(settings, value, source, name);
    else if (name === 'text') readSchema(settings, isRecord(value) ? value['format'] : value, source, 'text.format');
    else source.notes.leaveOut(source.where, `${name}: ${JSON.stringify(value).slice(0, 80)}`);
  }
  if (!['low', 'medium', 'high', undefined].includes(sampling['reasoningEffort'] as string | undefined)) {
    source.notes.approximate(source.where, `reasoning effort ${String(sampling['reasoningEffort'])} became low`);
    sampling['reasoningEffort'] = 'low';
  }
  if (Object.keys(sampling).length > 0) settings.sampling = sampling;
  return Object.keys(settings).length > 0 ? settings : null;
}

const ownMembers = new Set([
  'models',
  'sampling',
  'outputSchema',
  'tools',
  'toolsOf',
  'providers',
  'params',
  'examples',
  'mayOverride',
]);

/** True for settings as this platform writes them beside those of others. */
const isOwn = (value: unknown): value is shapes.LensSettings =>
  isRecord(value) && Object.keys(value).every((name) => ownMembers.has(name));

/** `gpt-4o-mini` is openai/gpt-4o-mini when the platform has it; a date at the end may be missing there. */
function readModel(settings: shapes.LensSettings, value: unknown, { notes, where, models }: SettingsSource): void {
  const given = String(value);
  const base = given.replace(/-\d{4}-\d{2}-\d{2}$|-\d{8}$/, '');
  const find = (key: string): string | undefined =>
    [...models].find((model) => model === key || model.slice(model.indexOf('/') + 1) === key);
  const [exact, near] = [find(given), find(base)];
  if (exact === undefined && near !== undefined) notes.approximate(where, `the model ${given} became ${near}`);
  const model = exact ?? near;
  if (model === undefined)
    notes.leaveOut(where, `the model ${given}, which the platform does not have: callers choose one`);
  else settings.models = [model];
}

function readTools(settings: shapes.LensSettings, value: unknown, { notes, where }: SettingsSource): void {
  const tools = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((each, at): shapes.LensTool[] => {
    const tool = isRecord(each) && isRecord(each['function']) ? each['function'] : each;
    const { name, description, parameters } = isRecord(tool) ? tool : {};
    if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) {
      notes.leaveOut(where, `tools[${at}]: ${isRecord(each) ? `the type ${String(each['type'])}` : 'no tool'}`);
      return [];
    }
    return [
      {
        name,
        ...(typeof description === 'string' && { description }),
        inputSchema: isRecord(parameters) ? { type: 'object', ...parameters } : { type: 'object' },
      },
    ];
  });
  if (tools.length > 0) settings.tools = tools;
}

function readSchema(
  settings: shapes.LensSettings,
  format: unknown,
  { notes, where }: SettingsSource,
  name: string,
): void {
  const { type, json_schema: nested, schema: own } = isRecord(format) ? format : {};
  const schema = isRecord(nested) ? nested['schema'] : own;
  if (type === 'json_schema' && isRecord(schema)) settings.outputSchema = schema;
  else if (type === 'json_object') {
    notes.approximate(where, `${name} json_object became a schema of any object`);
    settings.outputSchema = { type: 'object' };
  } else if (type !== 'text' && format !== undefined)
    notes.leaveOut(where, `${name}: ${JSON.stringify(format).slice(0, 80)}`);
}
