import { isTooDeep, maxJsonDepth } from '@lensforge/contracts';
import type { ToolResult } from './session.js';

/** A longer result is cut. */
export const maxResultBytes = 256 * 1024;

type Block = ToolResult['content'][number];

/** The result of a tool as text for a model. */
export function resultText({ content, structuredContent }: Pick<ToolResult, 'content' | 'structuredContent'>): string {
  const parts = content.map(formatBlock);
  const hasText = content.some(({ type }) => type === 'text');
  if (structuredContent !== undefined && !hasText) parts.push(formatJson(structuredContent));
  return cutToBytes(parts.join('\n'));
}

const formatJson = (content: unknown): string =>
  isTooDeep(content) ? `[JSON that is nested deeper than ${maxJsonDepth} levels, left out]` : JSON.stringify(content);

function formatBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${block.data.length} characters of base64 left out]`;
    case 'resource_link':
      return `[link: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource: ${block.resource.uri}]`;
  }
}

export function cutToBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxResultBytes) return text;
  const kept = bytes
    .subarray(0, maxResultBytes)
    .toString()
    .replace(/\ufffd$/, '');
  const kilobytes = (count: number): number => Math.ceil(count / 1024);
  return `${kept}\n[cut: the result has ${kilobytes(bytes.length)} kB; the limit is ${kilobytes(maxResultBytes)} kB]`;
}
