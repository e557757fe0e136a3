export type JsonSchema = Readonly<Record<string, unknown>>;

export type Shape<T extends object = object> = new () => T;

export interface Issue {
  path: string;
  message: string;
}

/** A check of values, with the equivalent JSON Schema. */
export interface Kind {
  /** The schema without that of `nested` and `item`. */
  readonly schema: () => JsonSchema;
  /** The first fault of a value at `path`. */
  readonly fault: (value: unknown, path: string) => Issue | undefined;
  /** The class of a nested object. */
  readonly nested?: () => Shape;
  /** The kind of a list's items. */
  readonly item?: Kind;
  /** Converts the text of a query parameter or environment variable. */
  readonly fromText?: (text: string) => unknown;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const must =
  (requirement: string, isMet: (value: unknown) => boolean): Kind['fault'] =>
  (value, path) =>
    isMet(value) ? undefined : { path, message: `must ${requirement}` };

const unchanged = (text: string): string => text;

export interface TextLimits {
  min?: number;
  max?: number;
  pattern?: RegExp;
  format?: string;
  /** The fault of a text within the other limits, for what JSON Schema cannot express. */
  check?: (value: string) => string | undefined;
}

export function textKind({ min = 0, max = 100_000, pattern, format, check }: TextLimits = {}): Kind {
  const isString = must('be a string', (value) => typeof value === 'string');
  const hasLength = must(`be ${min > 0 ? `${min} to` : 'at most'} ${max} characters long`, (value) =>
    hasLengthWithin(value as string, min, max),
  );
  const matches = pattern && must(`match ${pattern.source}`, (value) => pattern.test(value as string));
  return {
    schema: () => ({
      type: 'string',
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      ...(pattern && { pattern: pattern.source }),
      ...(format && { format }),
    }),
    fault: (value, path) => {
      const fault = isString(value, path) ?? hasLength(value, path) ?? matches?.(value, path);
      const message = fault ? undefined : check?.(value as string);
      return message === undefined ? fault : { path, message };
    },
    fromText: unchanged,
  };
}

/** Counts code points, as JSON Schema and PostgreSQL do. */
function hasLengthWithin(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > max * 2) return false;
  if (value.length >= min * 2 && value.length <= max) return true;
  const pairs = value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return value.length - pairs >= min && value.length - pairs <= max;
}

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const uuidKind = (): Kind => ({
  schema: () => ({ type: 'string', format: 'uuid' }),
  fault: must('be a UUID', (value) => typeof value === 'string' && uuidPattern.test(value)),
  fromText: unchanged,
});

export interface IntegerLimits {
  min?: number;
  max?: number;
}

export const integerKind = ({ min = -2_147_483_648, max = 2_147_483_647 }: IntegerLimits = {}): Kind => ({
  schema: () => ({ type: 'integer', minimum: min, maximum: max }),
  fault: must(
    `be a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  ),
  fromText: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
});

export const decimalKind = ({ min = -1e15, max = 1e15 }: IntegerLimits = {}): Kind => ({
  schema: () => ({ type: 'number', minimum: min, maximum: max }),
  fault: must(
    `be a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
  ),
  fromText: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
});

export const flagKind = (): Kind => ({
  schema: () => ({ type: 'boolean' }),
  fault: must('be true or false', (value) => typeof value === 'boolean'),
  fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
});

export const oneOfKind = (values: readonly string[]): Kind => ({
  schema: () => ({ type: 'string', enum: [...values] }),
  fault: must(`be one of ${values.join(', ')}`, (value) => values.includes(value as string)),
  fromText: unchanged,
});

const dateTimeForm =
  /^(?!0000)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(value: string): boolean {
  const [, year, month, day] = dateTimeForm.exec(value) ?? [];
  return year !== undefined && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

export const dateTimeKind = (): Kind => ({
  schema: () => ({ type: 'string', format: 'date-time' }),
  fault: must(
    'be a date and time with its zone, such as 2026-11-21T09:30:00Z',
    (value) => typeof value === 'string' && isDateTime(value),
  ),
  fromText: unchanged,
});

export const recordKind = (): Kind => ({
  schema: () => ({ type: 'object', additionalProperties: true }),
  fault: must('be an object', isRecord),
});

export const jsonKind = (): Kind => ({ schema: () => ({}), fault: () => undefined });

export const nestedKind = (shape: () => Shape): Kind => ({
  schema: () => ({}),
  fault: must('be an object', isRecord),
  nested: shape,
});

export interface ListLimits {
  min?: number;
  max?: number;
}

export function listKind(item: Kind, { min = 0, max = 1000 }: ListLimits = {}): Kind {
  const isList = must('be a list', Array.isArray);
  const hasSize = must(
    `have ${min > 0 ? `${min} to` : 'at most'} ${max} items`,
    (value) => (value as unknown[]).length >= min && (value as unknown[]).length <= max,
  );
  return {
    schema: () => ({ type: 'array', ...(min > 0 && { minItems: min }), maxItems: max }),
    fault: (value, path) => isList(value, path) ?? hasSize(value, path) ?? faultOfItem(item, value as unknown[], path),
    item,
    fromText: (text) => [item.fromText ? item.fromText(text) : text],
  };
}

function faultOfItem(item: Kind, values: readonly unknown[], path: string): Issue | undefined {
  for (const [index, value] of values.entries()) {
    const fault = item.fault(value, `${path}.${index}`);
    if (fault) return fault;
  }
  return undefined;
}
