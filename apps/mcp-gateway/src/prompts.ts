import { grants } from '@lensforge/contracts';
import { type Context, requireScope } from '@lensforge/core';
import {
  type StoredVersion,
  atVersion,
  findByName,
  listOwnNames,
  paramKey,
  readLensName,
  runnableLens,
  versionsByIds,
} from '@lensforge/lenses';
import { RpcFault, codes, isRecord } from './json-rpc.js';

// Published lenses of the caller as prompts of MCP; a prompt that a client names can be any lens that the caller sees.

type Params = Readonly<Record<string, unknown>>;

const maxPrompts = 100;

interface Argument {
  name: string;
  description?: string;
  required: boolean;
}

/** The parameters of a lens that are texts; earlier messages are not. */
function argumentsOf({ params, settings }: StoredVersion): Argument[] {
  const types = new Map((settings?.params ?? []).map((type) => [paramKey(type.label), type]));
  return params
    .filter(({ label }) => paramKey(label) !== 'history')
    .map(({ label, optional }) => {
      const { description } = types.get(paramKey(label)) ?? {};
      return { name: label, ...(description !== undefined && { description }), required: !optional };
    });
}

export async function listPrompts(ctx: Context): Promise<{ prompts: object[] }> {
  if (!grants(ctx.actor.scopes, 'lenses:read')) return { prompts: [] };
  const lenses = (await listOwnNames(ctx, maxPrompts)).filter(({ status }) => status === 'published');
  const versions = await versionsByIds(
    ctx.db,
    lenses.map(({ versionId }) => versionId),
  );
  const prompts = lenses.map(({ name, title, description, versionId }) => {
    const version = versions.get(versionId);
    return { name, title, description, arguments: version ? argumentsOf(version) : [] };
  });
  return { prompts };
}

/** The version of the lens that a prompt is. */
async function findVersion(ctx: Context, name: unknown): Promise<StoredVersion> {
  const named = typeof name === 'string' ? readLensName(name) : undefined;
  if (!named)
    throw new RpcFault(
      codes.invalidParams,
      'params.name must be a name of prompts/list, handle/title or lens:ID, perhaps with @version',
    );
  requireScope(ctx, 'lenses:read');
  const lens = await runnableLens(ctx, await findByName(ctx, named));
  return named.version === undefined ? lens.version : (await atVersion(ctx.db, lens, named.version)).version;
}

const asMessage = (role: 'user' | 'assistant', text: string) => ({ role, content: { type: 'text', text } });

export async function getPrompt(ctx: Context, { name, arguments: given = {} }: Params): Promise<object> {
  const version = await findVersion(ctx, name);
  if (!isRecord(given)) throw new RpcFault(codes.invalidParams, 'params.arguments must be an object');
  const resolved = version.resolve(version.toValues(given));
  if ('missing' in resolved)
    throw new RpcFault(codes.invalidParams, `params.arguments lacks ${resolved.missing.join(', ')}`, {
      missing: resolved.missing,
    });
  const { system, prompt, messages = [] } = resolved;
  // MCP has no role for instructions.
  const first = system === undefined ? prompt : `${system}\n\n${prompt}`;
  return { messages: [asMessage('user', first), ...messages.map(({ role, text }) => asMessage(role, text))] };
}

const maxCompletions = 100;

/** The values that an argument of a prompt can have, as far as its lens says so. */
export async function complete(ctx: Context, { ref, argument }: Params): Promise<object> {
  if (
    !isRecord(ref) ||
    !isRecord(argument) ||
    typeof argument['name'] !== 'string' ||
    typeof argument['value'] !== 'string'
  )
    throw new RpcFault(codes.invalidParams, 'params needs ref, and argument with name and value');
  if (ref['type'] !== 'ref/prompt') return toCompletion([]);
  const { settings } = await findVersion(ctx, ref['name']);
  const key = paramKey(argument['name']);
  const type = settings?.params?.find(({ label }) => paramKey(label) === key);
  const known = type?.type === 'boolean' ? ['true', 'false'] : (type?.values ?? []);
  const begin = argument['value'].toLowerCase();
  return toCompletion(known.filter((value) => value.toLowerCase().startsWith(begin)));
}

const toCompletion = (values: readonly string[]): object => ({
  completion: {
    values: values.slice(0, maxCompletions),
    total: values.length,
    hasMore: values.length > maxCompletions,
  },
});
