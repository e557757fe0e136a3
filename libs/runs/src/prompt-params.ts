import type { Conversation } from '@lensforge/models';

type Params = Readonly<Record<string, unknown>>;

/** Texts of which a model makes vectors. */
export interface EmbeddedTexts {
  texts: readonly string[];
  /** The length of the vectors; that of the model when absent. */
  dimensions?: number | undefined;
}

/** The conversation of a prompt run; undefined for another run. */
export const conversationIn = (params: Params): Conversation | undefined =>
  typeof params['prompt'] === 'string' ? (params as unknown as Conversation) : undefined;

/** The texts of a run that makes embeddings; undefined for another run. */
export const embeddedTextsIn = ({ embed }: Params): EmbeddedTexts | undefined => embed as EmbeddedTexts | undefined;
