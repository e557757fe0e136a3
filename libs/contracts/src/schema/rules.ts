import { type ValidationArguments, getMetadataStorage } from 'class-validator';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Shape<T extends object = object> = new () => T;

export interface Issue {
  path: string;
  message: string;
}

/** The `context` of metadata of class-validator that comes from `field` and the kinds. */
export interface RuleContext {
  readonly description?: string;
  readonly idOf?: string;
  /** The JSON Schema of a rule that class-validator does not have. */
  readonly schema?: JsonSchema;
  /** The class of a nested object. */
  readonly shape?: () => Shape;
  /** The member of a value that breaks the rule. */
  readonly place?: (value: unknown) => string | undefined;
}

export interface Rule {
  readonly accepts: (value: unknown) => boolean;
  readonly message: (value: unknown) => string;
  readonly place?: RuleContext['place'];
}

/** The rules of a value, compiled from metadata of class-validator. */
export interface ValueType {
  readonly rules: readonly Rule[];
  /** The JSON Schema without that of `nested` and `item`. */
  readonly schema: JsonSchema;
  readonly nested?: () => Shape;
  readonly item?: ValueType;
  /** Converts the text of a query parameter or environment variable. */
  readonly fromText?: (text: string) => unknown;
}

export interface Field {
  readonly name: string;
  readonly type: ValueType;
  readonly description?: string;
  readonly optional?: true;
  readonly nullable?: true;
  /** The kind of resource that a path parameter is the id of. A malformed id is then 404, not 400. */
  readonly idOf?: string;
}

export type Fields = ReadonlyMap<string, Field>;

const storage = getMetadataStorage();

type Metadata = ReturnType<typeof storage.getTargetValidationMetadatas>[number];

/** The name of the rule for a list within a list; its constraint is a class with the member `items`. */
export const listWithin = 'isListOf';

/** Results that are derived from the metadata of a class on first use. */
interface Derived {
  own?: Fields;
  fields?: Fields;
  fieldsToCheck?: readonly Field[];
  jsonSchema?: JsonSchema;
}

/** For all wire classes; they live as long as the process. */
const derived = new Map<Shape, Derived>();

export function derivedFrom(shape: Shape): Derived {
  let entry = derived.get(shape);
  if (!entry) derived.set(shape, (entry = {}));
  return entry;
}

/** The fields of a class, after those of its base classes. */
export function listFields(shape: Shape): Fields {
  const entry = derivedFrom(shape);
  return (entry.fields ??= new Map([...inheritedFields(shape), ...ownFields(shape)]));
}

/** The same fields in class-validator's order: those of the class before those of its base classes. */
export function fieldsToCheck(shape: Shape): readonly Field[] {
  const entry = derivedFrom(shape);
  return (entry.fieldsToCheck ??= [...new Map([...ownFields(shape), ...listFields(shape)]).values()]);
}

function inheritedFields(shape: Shape): Fields {
  const base = Object.getPrototypeOf(shape) as Shape;
  return base === Function.prototype ? new Map() : listFields(base);
}

function ownFields(shape: Shape): Fields {
  const entry = derivedFrom(shape);
  return (entry.own ??= readMetadata(shape));
}

function readMetadata(shape: Shape): Fields {
  const own = storage.getTargetValidationMetadatas(shape, '', false, false).filter(({ target }) => target === shape);
  return new Map(
    Object.entries(storage.groupByPropertyName(own)).map(([name, metadata]) => [name, toField(name, metadata)]),
  );
}

const merge = <T extends object>(parts: readonly T[]): T => Object.assign({}, ...parts) as T;

const contextIn = ({ context }: Metadata): RuleContext => (context ?? {}) as RuleContext;

function toField(name: string, metadata: readonly Metadata[]): Field {
  const conditions = metadata.filter(({ type }) => type === 'conditionalValidation');
  const mayBe = (value: unknown): boolean => !conditions.every((one) => conditionOf(one)({ [name]: value }, value));
  const { description, idOf } = merge<RuleContext>(metadata.map(contextIn));
  return {
    name,
    type: toValueType(metadata.filter((one) => !conditions.includes(one))),
    ...(description !== undefined && { description }),
    ...(mayBe(undefined) && { optional: true }),
    ...(mayBe(null) && { nullable: true }),
    ...(idOf !== undefined && { idOf }),
  };
}

const conditionOf = ({ constraints }: Metadata) => constraints[0] as (object: object, value: unknown) => boolean;

function toValueType(metadata: readonly Metadata[]): ValueType {
  const ofItems = metadata.filter(({ each }) => each);
  const own = metadata.filter(({ each }) => !each);
  return ofItems.length > 0 ? listType(own, toItemType(ofItems)) : plainType(own);
}

function toItemType(metadata: readonly Metadata[]): ValueType {
  const inner = metadata.find(({ name }) => name === listWithin);
  return inner ? typeOfItems(inner.constraints[0] as Shape) : plainType(metadata);
}

/** The type of the member `items` of a class. */
export function typeOfItems(shape: Shape): ValueType {
  const field = listFields(shape).get('items');
  if (!field) throw new Error(`${shape.name} has no member items`);
  return field.type;
}

function plainType(metadata: readonly Metadata[]): ValueType {
  const nested = metadata.find(({ type }) => type === 'nestedValidation');
  const shape = nested && contextIn(nested).shape;
  const schema = toSchema(metadata);
  const fromText = conversions[schema['type'] as string];
  return {
    rules: toRules(metadata),
    schema: nested ? {} : schema,
    ...(shape && { nested: shape }),
    ...(fromText && { fromText }),
  };
}

const listType = (metadata: readonly Metadata[], item: ValueType): ValueType => ({
  rules: toRules(metadata),
  schema: toSchema(metadata),
  item,
  fromText: (text) => [item.fromText ? item.fromText(text) : text],
});

const conversions: Readonly<Record<string, ValueType['fromText']>> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

const toSchema = (metadata: readonly Metadata[]): JsonSchema =>
  merge<JsonSchema>(metadata.map((one) => contextIn(one).schema ?? schemas[one.name ?? '']?.(one.constraints) ?? {}));

/** The JSON Schema of decorators of class-validator. */
const schemas: Readonly<Record<string, (constraints: readonly unknown[]) => JsonSchema>> = {
  isString: () => ({ type: 'string' }),
  matches: ([pattern]) => ({ pattern: (pattern as RegExp).source }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  isBoolean: () => ({ type: 'boolean' }),
  equals: ([value]) => ({ const: value }),
  isIn: ([values]) => ({ type: 'string', enum: [...(values as string[])] }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
};

const toRules = (metadata: readonly Metadata[]): Rule[] =>
  metadata.flatMap((one) =>
    storage.getTargetValidatorConstraints(one.constraintCls).map(({ instance }) => toRule(one, instance)),
  );

type Instance = ReturnType<typeof storage.getTargetValidatorConstraints>[number]['instance'];

function toRule(metadata: Metadata, instance: Instance): Rule {
  const { constraints, message, propertyName } = metadata;
  const { place } = contextIn(metadata);
  const given = (value: unknown): ValidationArguments => ({
    value,
    constraints,
    property: propertyName,
    targetName: '',
    object: {},
  });
  const always = given(undefined);
  return {
    accepts: (value) => instance.validate(value, always) === true,
    message: (value) => (typeof message === 'function' ? message(given(value)) : message),
    ...(place && { place }),
  };
}

/** The fault of a member's value. The caller has already accepted null and undefined where they are allowed. */
export function findFault({ rules, item }: ValueType, value: unknown, path: string): Issue | undefined {
  if (value === undefined) return { path, message: 'is required' };
  const broken = rules.find((rule) => !rule.accepts(value));
  if (broken) return { path: pathOfFault(broken, value, path), message: broken.message(value) };
  return item && faultOfItem(item, value as unknown[], path);
}

const pathOfFault = ({ place }: Rule, value: unknown, path: string): string => {
  const inside = place?.(value);
  return inside === undefined ? path : joinPath(path, inside);
};

function faultOfItem(item: ValueType, values: readonly unknown[], path: string): Issue | undefined {
  for (const [index, value] of values.entries()) {
    const fault = findFault(item, value, `${path}.${index}`);
    if (fault) return fault;
  }
  return undefined;
}

/** Appends the faults of an instance: the first one of each member, or those inside of a valid member. */
export function findFaults(shape: Shape, instance: object, at: string, issues: Issue[]): void {
  for (const { name, type, optional, nullable } of fieldsToCheck(shape)) {
    const value: unknown = Reflect.get(instance, name);
    if ((optional && value === undefined) || (nullable && value === null)) continue;
    const path = joinPath(at, name);
    const fault = findFault(type, value, path);
    if (fault) issues.push(fault);
    else findFaultsInside(type, value, path, issues);
  }
}

function findFaultsInside({ item, nested }: ValueType, value: unknown, path: string, issues: Issue[]): void {
  if (nested) findFaults(nested(), value as object, path, issues);
  if (!item?.nested && !item?.item) return;
  for (const [index, each] of (value as unknown[]).entries()) findFaultsInside(item, each, `${path}.${index}`, issues);
}

export const joinPath = (at: string, name: string): string => (at ? `${at}.${name}` : name);
