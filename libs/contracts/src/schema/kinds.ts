import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import {
  type Issue,
  type JsonSchema,
  type RuleContext,
  type Shape,
  type ValueType,
  findFault,
  findFaults,
  listWithin,
  typeOfItems,
} from './rules.js';

/** The decorators of a member, or of a list's items. */
export type Kind = (options?: KindOptions) => readonly PropertyDecorator[];

export interface KindOptions {
  /** True for items of a list. */
  each?: boolean;
  context?: RuleContext;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds a message to options. A validator of class-validator gets the whole list as the value of `each`. */
const must = (requirement: string, options: KindOptions = {}): ValidationOptions => ({
  ...options,
  message: ({ value }) => (value === undefined ? 'is required' : `must ${requirement}`),
});

interface OwnRule {
  name: string;
  accepts: (value: unknown) => boolean;
  schema?: JsonSchema;
  /** The constraints of its metadata. */
  constraints?: unknown[];
}

/** A rule that class-validator does not have, with the equivalent JSON Schema. */
const ownRule = ({ name, accepts, schema, constraints = [] }: OwnRule, options: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    { name, constraints, validator: { validate: accepts } },
    { ...options, ...(schema && { context: { ...(options.context as RuleContext | undefined), schema } }) },
  );

/** A kind with one rule of its own. */
export const kindOf =
  (rule: OwnRule, requirement: string): Kind =>
  (options) => [ownRule(rule, must(requirement, options))];

export interface TextLimits {
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** The fault of a text within the other limits, for what JSON Schema cannot express. */
  check?: (value: string) => string | undefined;
}

export const textKind =
  ({ min = 0, max = 100_000, pattern, check }: TextLimits = {}): Kind =>
  (options) => [
    IsString(must('be a string', options)),
    hasLength(min, max, options),
    ...(pattern ? [Matches(pattern, must(`match ${pattern.source}`, options))] : []),
    ...(check ? [passes(check, options)] : []),
  ];

/** Unlike `Length`, counts code points, variation selectors included, as JSON Schema and PostgreSQL do. */
const hasLength = (min: number, max: number, options?: KindOptions): PropertyDecorator =>
  ownRule(
    {
      name: 'hasLength',
      accepts: (value) => typeof value === 'string' && hasLengthWithin(value, min, max),
      schema: { ...(min > 0 && { minLength: min }), maxLength: max },
      constraints: [min, max],
    },
    must(`be ${min > 0 ? `${min} to` : 'at most'} ${max} characters long`, options),
  );

function hasLengthWithin(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > max * 2) return false;
  if (value.length >= min * 2 && value.length <= max) return true;
  const pairs = value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return value.length - pairs >= min && value.length - pairs <= max;
}

const passes = (check: (value: string) => string | undefined, options: KindOptions = {}): PropertyDecorator =>
  ownRule(
    { name: 'passes', accepts: (value) => typeof value === 'string' && check(value) === undefined },
    { ...options, message: ({ value }) => (typeof value === 'string' ? check(value) : undefined) ?? 'is refused' },
  );

export const uuidKind = (): Kind => (options) => [IsUUID('loose', must('be a UUID', options))];

export interface IntegerLimits {
  min?: number;
  max?: number;
}

export const integerKind =
  ({ min = -2_147_483_648, max = 2_147_483_647 }: IntegerLimits = {}): Kind =>
  (options) => {
    const range = must(`be a whole number from ${min} to ${max}`, options);
    return [IsInt(range), Min(min, range), Max(max, range)];
  };

export const decimalKind =
  ({ min = -1e15, max = 1e15 }: IntegerLimits = {}): Kind =>
  (options) => {
    const range = must(`be a number from ${min} to ${max}`, options);
    return [IsNumber({}, range), Min(min, range), Max(max, range)];
  };

export const flagKind = (): Kind => (options) => [IsBoolean(must('be true or false', options))];

/** A flag that must be true, against accidents. */
export const confirmationKind = (): Kind => (options) => [
  IsBoolean(must('be true', options)),
  Equals(true, must('be true', options)),
];

export const oneOfKind =
  (values: readonly string[]): Kind =>
  (options) => [IsIn(values, must(`be one of ${values.join(', ')}`, options))];

const dateTimeForm =
  /^(?!0000)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(value: unknown): boolean {
  const [, year, month, day] = (typeof value === 'string' && dateTimeForm.exec(value)) || [];
  return year !== undefined && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

/** Unlike `IsRFC3339`, refuses days that a month does not have, and a space instead of the T. */
export const dateTimeKind = (): Kind =>
  kindOf(
    { name: 'isDateTime', accepts: isDateTime, schema: { type: 'string', format: 'date-time' } },
    'be a date and time with its zone, such as 2026-11-21T09:30:00Z',
  );

export const recordKind = (): Kind => (options) => [IsObject(must('be an object', options))];

/** An object with only texts as members. */
export function textsKind(max: number): Kind {
  const each = toValueType(textKind({ max }));
  const faultIn = (value: unknown): Issue | undefined => {
    for (const [name, member] of isRecord(value) ? Object.entries(value) : []) {
      const fault = findFault(each, member, name);
      if (fault) return fault;
    }
    return undefined;
  };
  const hasTexts: OwnRule = {
    name: 'hasTexts',
    accepts: (value) => faultIn(value) === undefined,
    schema: { additionalProperties: each.schema },
  };
  return (options) => [
    IsObject(must('be an object', options)),
    ownRule(hasTexts, {
      context: { ...options?.context, place: (value) => faultIn(value)?.path } satisfies RuleContext,
      message: ({ value }) => faultIn(value)?.message ?? '',
    }),
  ];
}

export const jsonKind = (): Kind => kindOf({ name: 'isGiven', accepts: (value) => value !== undefined }, 'be given');

export const nestedKind =
  (shape: () => Shape): Kind =>
  (options) => [
    IsObject(must('be an object', options)),
    ValidateNested({ ...options, context: { ...options?.context, shape } satisfies RuleContext }),
  ];

export interface ListLimits {
  min?: number;
  max?: number;
}

export const listKind =
  (item: Kind, { min = 0, max = 1000 }: ListLimits = {}): Kind =>
  (options) => {
    if (options?.each) return [isListOf(listKind(item, { min, max }), options)];
    const size = must(`have ${min > 0 ? `${min} to` : 'at most'} ${max} items`, options);
    return [
      IsArray(must('be a list', options)),
      ...(min > 0 ? [ArrayMinSize(min, size)] : []),
      ArrayMaxSize(max, size),
      ...item({ each: true }),
    ];
  };

/** A list within a list, which `each` of class-validator does not reach. */
function isListOf(list: Kind, options: KindOptions): PropertyDecorator {
  const shape = holderOf(list);
  const accepts = (items: unknown): boolean => {
    const issues: Issue[] = [];
    findFaults(shape, Object.assign(new shape(), { items }), '', issues);
    return issues.length === 0;
  };
  return ownRule({ name: listWithin, accepts, constraints: [shape] }, must('be a list', options));
}

/** A class whose member `items` is of this kind. */
function holderOf(kind: Kind): Shape {
  class Holder {
    items?: unknown;
  }
  for (const decorate of kind()) decorate(Holder.prototype, 'items');
  return Holder;
}

/** The type of a value that is not a member of a class. */
export const toValueType = (kind: Kind): ValueType => typeOfItems(holderOf(kind));
