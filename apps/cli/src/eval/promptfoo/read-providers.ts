import type { shapes } from '@lensforge/sdk';
import { type ConfigSource, isRecord, toList } from '../config-source.js';

export interface ProviderArm {
  label: string;
  /** undefined: the model of the platform. */
  model: string | undefined;
  sampling: shapes.Sampling | undefined;
}

/** The providers of a configuration as models. `--model` comes before them. */
export function readProviders(source: ConfigSource, override: string | undefined): ProviderArm[] {
  const given = toList(source.content['providers'] ?? source.content['targets']);
  if (override !== undefined || given.length === 0)
    return [{ label: override ?? '', model: override, sampling: undefined }];
  return given.flatMap((each, index) => {
    const members = isRecord(each) ? each : {};
    const id = typeof each === 'string' ? each : members['id'];
    const model = typeof id === 'string' ? toModel(id) : undefined;
    if (typeof id !== 'string' || model === undefined) {
      source.refuse(['providers', index], `${String(id)} is no model of the platform: choose one with --model`);
      return [];
    }
    const config = isRecord(members['config']) ? members['config'] : {};
    const label = typeof members['label'] === 'string' ? members['label'] : id;
    return [{ label, model, sampling: toSampling(config) }];
  });
}

const providers: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'google',
  palm: 'google',
};

/** `openai:chat:gpt-4o-mini` is the model openai/gpt-4o-mini; `echo` the offline one. */
function toModel(id: string): string | undefined {
  if (id === 'echo') return 'offline/echo';
  const [provider = '', ...rest] = id.split(':');
  const model = rest.filter((part) => !['chat', 'messages', 'responses', 'completion'].includes(part)).join(':');
  const known = providers[provider];
  return known === undefined || model === '' ? undefined : `${known}/${model}`;
}

function toSampling(config: Record<string, unknown>): shapes.Sampling | undefined {
  const number = (name: string): number | undefined => (typeof config[name] === 'number' ? config[name] : undefined);
  const temperature = number('temperature');
  const maxOutputTokens = number('max_tokens') ?? number('maxOutputTokens') ?? number('max_completion_tokens');
  if (temperature === undefined && maxOutputTokens === undefined) return undefined;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}
