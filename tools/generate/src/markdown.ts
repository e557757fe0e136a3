import { type JsonSchema, type Shape, jsonSchema } from '@lensforge/contracts';

const escape = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escape).join(' | ')} |`).join('\n');

export const code = (text: string): string => `\`${text}\``;

const smallest = -2_147_483_648;
const largest = 2_147_483_647;

const range = ({ minimum, maximum }: JsonSchema): string => {
  const from = typeof minimum === 'number' && minimum !== smallest ? minimum : undefined;
  const to = typeof maximum === 'number' && maximum !== largest ? maximum : undefined;
  if (from === undefined) return to === undefined ? '' : ` up to ${to}`;
  return to === undefined ? ` from ${from}` : ` ${from}–${to}`;
};

/** A JSON Schema in a few words. */
export function inWords(schema: JsonSchema): string {
  const { type, enum: values, format, items } = schema;
  if (Array.isArray(values)) return values.map((value) => (value === null ? 'null' : code(String(value)))).join(', ');
  if (Array.isArray(type)) {
    const [own] = type.filter((each) => each !== 'null') as string[];
    return `${inWords({ ...schema, type: own })} or null`;
  }
  if (type === 'integer' || type === 'number') return `${type}${range(schema)}`;
  if (type === 'array') return `list of ${inWords(items as JsonSchema)}`;
  if (type === 'string') return typeof format === 'string' ? format : 'text';
  return typeof type === 'string' ? type : 'any JSON';
}

interface Member {
  name: string;
  type: string;
  required: boolean;
  byDefault: unknown;
  description: string;
}

export function listMembers(shape: Shape): Member[] {
  const { properties, required = [] } = jsonSchema(shape) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: inWords(schema),
    required: required.includes(name),
    byDefault: schema['default'],
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
  }));
}

/** The members of a payload in one cell. */
export const membersInline = (shape: Shape): string =>
  listMembers(shape)
    .map(({ name, type, required, description }) => {
      const note = description ? ` (${description.replace(/\.$/, '')})` : '';
      return `${code(name)}${required ? '' : '?'}: ${type}${note}`;
    })
    .join('; ');
