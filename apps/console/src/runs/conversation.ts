import { formatJson } from '../ui/format-json';

/** A part of a conversation with a model. */
interface Turn {
  role: string;
  text: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The conversation of a prompt run by its turns; undefined for runs without one. */
export function readConversation(params: Readonly<Record<string, unknown>> | null): Turn[] | undefined {
  if (typeof params?.['prompt'] !== 'string') return undefined;
  const { system, prompt } = params;
  return [
    ...(typeof system === 'string' ? [{ role: 'system', text: system }] : []),
    { role: 'user', text: prompt },
    ...listIn(params['messages']).filter(isRecord).flatMap(readTurn),
  ];
}

/** A message may have a text, tool calls, and results of tools. */
const readTurn = ({ role, text, toolCalls, results }: Record<string, unknown>): Turn[] => [
  ...(typeof text === 'string' && text !== '' ? [{ role: String(role), text }] : []),
  ...listIn(toolCalls)
    .filter(isRecord)
    .map(({ name, input }) => ({ role: `${String(role)} → ${String(name)}`, text: formatJson(input ?? null) })),
  ...listIn(results)
    .filter(isRecord)
    .map(({ name, text }) => ({ role: `${String(name)} →`, text: formatJson(text ?? null) })),
];
