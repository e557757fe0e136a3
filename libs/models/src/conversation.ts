import type { PromptImage } from './prompt-images.js';

/** A tool that a model may ask for; its caller performs the calls. */
export interface ToolSpec {
  /** At most 64 letters, digits, - and _. */
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
}

/** Which tools a model calls: as it likes, none, at least one, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
  /** Set when the provider has called the tool itself. */
  output?: unknown;
  /** Data of the provider that it needs back with the call when the conversation continues. */
  metadata?: Readonly<Record<string, unknown>>;
}

/** The result of a tool call, as the model reads it. */
export interface ToolAnswer {
  callId: string;
  name: string;
  text: string;
  isError: boolean;
}

/** A turn of the conversation after the prompt. */
export type Message =
  | { role: 'user'; text: string; images?: readonly PromptImage[] }
  | { role: 'assistant'; text: string; toolCalls: readonly ToolCall[] }
  | { role: 'tool'; results: readonly ToolAnswer[] };

/** A request to a model: the instructions above the prompt, the turns after it, and its tools. */
export interface Conversation {
  system?: string | undefined;
  prompt: string;
  messages?: readonly Message[] | undefined;
  tools?: readonly ToolSpec[] | undefined;
  toolChoice?: ToolChoice | undefined;
  /** The images of the prompt. */
  images?: readonly PromptImage[] | undefined;
}

/** The texts of a conversation, whose tokens a model reads; each turn is one, so that a longer conversation has the same ones. */
export const listTexts = ({
  system = '',
  prompt,
  messages = [],
  tools = [],
}: Omit<Conversation, 'images'>): string[] => [
  system,
  prompt,
  ...messages.map((message) => JSON.stringify(message)),
  ...(tools.length > 0 ? [JSON.stringify(tools)] : []),
];

/** The images of a prompt and of the turns after it. */
export const imagesIn = ({ images = [], messages = [] }: Pick<Conversation, 'images' | 'messages'>): PromptImage[] => [
  ...images,
  ...messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : [])),
];
