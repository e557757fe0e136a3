import type { DatasetCase } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { type StoredVersion, readLensVersion, readableLens, toOpenAiMembers } from '@lensforge/lenses';
import type { DatasetFile } from './dataset-file.js';

type Resolution = ReturnType<StoredVersion['resolve']>;
type Conversation = Exclude<Resolution, { missing: string[] }>;

/** The requests of a lens with the values of cases, as lines for a batch of OpenAI. */
export async function writeBatchRequests(
  ctx: Context,
  { lensId, version: name }: { lensId: string | undefined; version: string | undefined },
  cases: () => AsyncIterable<DatasetCase>,
): Promise<DatasetFile> {
  if (lensId === undefined) throw badInput('lensId', 'is required with the format openai-batch');
  const version = await readLensVersion(ctx.db, await readableLens(ctx, lensId), name);
  const members = toOpenAiMembers(version.settings ?? {});
  // A file that has begun cannot be refused, so all values are checked before.
  for await (const each of cases()) resolve(version, each);
  return { mediaType: 'application/x-ndjson', parts: lines() };

  async function* lines(): AsyncGenerator<string> {
    for await (const each of cases()) {
      const body = { ...members, messages: toMessages(resolve(version, each)) };
      yield `${JSON.stringify({ custom_id: each.key, method: 'POST', url: '/v1/chat/completions', body })}\n`;
    }
  }
}

function resolve(version: StoredVersion, { key, params }: DatasetCase): Conversation {
  const resolved = version.resolve(version.toValues(params));
  if (!('missing' in resolved)) return resolved;
  throw badInput('lensId', `the case ${key} has no value for ${resolved.missing.join(', ')}`);
}

const toMessages = ({ system, prompt, images, messages = [] }: Conversation): object[] => [
  ...(system === undefined ? [] : [{ role: 'system', content: system }]),
  { role: 'user', content: withImages(prompt, images) },
  ...messages.map(({ role, text, images: own }) => ({ role, content: withImages(text, own) })),
];

const withImages = (text: string, images: Conversation['images'] = []): string | object[] =>
  images.length === 0
    ? text
    : [{ type: 'text', text }, ...images.map((image) => ({ type: 'image_url', image_url: { url: toAddress(image) } }))];

const toAddress = (image: NonNullable<Conversation['images']>[number]): string =>
  'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}`;
