import { type Endpoint, type Shape, type ValueType, endpoints, listFields, isFreeForm } from '@lensforge/contracts';

type Schema = Readonly<Record<string, unknown>>;

const writeComment = (description: string | undefined): string =>
  description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';

const list = (item: string): string => (/[ |]/.test(item) ? `(${item})[]` : `${item}[]`);

function typeOfSchema({ enum: values, anyOf, type, items }: Schema): string {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((each: Schema) => typeOfSchema(each)).join(' | ');
  if (type === 'array') return list(typeOfSchema((items ?? {}) as Schema));
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  return type === 'object' ? 'Record<string, unknown>' : 'unknown';
}

function writeType({ nested, item, schema }: ValueType): string {
  if (nested) return nested().name;
  return item ? list(writeType(item)) : typeOfSchema(schema);
}

/** All classes that these contain, and they themselves. */
function withNested(shapes: Iterable<Shape>, found = new Set<Shape>()): Set<Shape> {
  const ofType = ({ nested, item }: ValueType): Shape[] => (nested ? [nested()] : item ? ofType(item) : []);
  for (const shape of shapes) {
    if (found.has(shape)) continue;
    found.add(shape);
    withNested(
      [...listFields(shape).values()].flatMap(({ type }) => ofType(type)),
      found,
    );
  }
  return found;
}

/** True when a request may leave out every member of this class. */
export const isAllOptional = (shape: Shape): boolean => {
  const defaults = new shape() as Record<string, unknown>;
  return [...listFields(shape)].every(([name, { optional }]) => optional ?? defaults[name] !== undefined);
};

/** An interface; in requests members with a default can be left out, and undefined counts as absent. */
function writeInterface(shape: Shape, inRequest: boolean): string {
  if (isFreeForm(shape)) return `export type ${shape.name} = Record<string, unknown>;`;
  const defaults = new shape() as Record<string, unknown>;
  const members = [...listFields(shape)].map(([name, { type, description, optional, nullable }]) => {
    const absent = optional ?? (inRequest && defaults[name] !== undefined);
    const own = writeType(type);
    const whole = own === 'unknown' ? own : `${own}${nullable ? ' | null' : ''}${absent ? ' | undefined' : ''}`;
    return `${writeComment(description)}${name}${absent ? '?' : ''}: ${whole};`;
  });
  return `export interface ${shape.name} {\n${members.join('\n')}\n}`;
}

/** All classes that cross the API, and `others`, by name; and those of them that requests have. */
export function requestsAndAll(others: readonly Shape[]): { all: Shape[]; requests: ReadonlySet<Shape> } {
  const rows = Object.values<Endpoint>(endpoints);
  const given = (shapes: readonly (Shape | undefined)[]): Shape[] => shapes.filter((shape) => shape !== undefined);
  const requests = withNested(given(rows.flatMap(({ body, query }) => [body, query])));
  const all = withNested([...given(rows.map(({ reply }) => reply)), ...others], new Set(requests));
  const names = new Map<string, Shape>();
  for (const shape of all) {
    if (names.has(shape.name)) throw new Error(`two classes of libs/contracts are called ${shape.name}: rename one`);
    names.set(shape.name, shape);
  }
  const inOrder = [...names].sort(([one], [other]) => (one < other ? -1 : 1));
  return { all: inOrder.map(([, shape]) => shape), requests };
}

/** The interfaces of these classes. */
export function shapeInterfaces(others: readonly Shape[]): string[] {
  const { all, requests } = requestsAndAll(others);
  return all.map((shape) => writeInterface(shape, requests.has(shape)));
}
