import type { MessageRole } from '@lensforge/contracts';
import type { Piece } from './parse-template.js';
import type { ParsedTemplate } from './template.js';

/** A message of a conversation, or the place of the earlier ones. */
export type MustacheMessage = { role: MessageRole; content: string } | 'history';

/** A template in the syntax of Mustache: one text, or the messages of a conversation. */
export const toMustache = ({ parts, pieces }: ParsedTemplate): string | MustacheMessage[] =>
  parts?.map(({ role, pieces: own }) => (own ? { role, content: writeAll(own) } : 'history')) ?? writeAll(pieces);

const writeAll = (pieces: readonly Piece[]): string => pieces.map(write).join('');

function write(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if (piece.kind === 'value') return `{{${piece.label}}}`;
  const { label, inverted, pieces } = piece;
  return `{{${inverted ? '^' : '#'}${label}}}${writeAll(pieces)}{{/${label}}}`;
}
