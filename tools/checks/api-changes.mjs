/**
 * Compares two OpenAPI documents and returns the changes that break programs written for the first one, a line for each.
 * Additions are allowed: operations, optional input, members of responses, and values and variants that responses may
 * have. What the first document marks as deprecated may be removed.
 */
export function breakingChanges(before, after) {
  const comparison = new Comparison(before, after);
  comparison.operations('paths');
  comparison.operations('webhooks');
  return [...new Set(comparison.faults)];
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];
const entries = (object) => Object.entries(object ?? {});

class Comparison {
  faults = [];

  constructor(before, after) {
    this.before = before;
    this.after = after;
  }

  /** Operations of `paths`, or of `webhooks`, whose bodies are what programs receive. */
  operations(kind) {
    for (const [path, item] of entries(this.before[kind])) {
      for (const method of methods.filter((each) => item[each])) {
        const name = kind === 'webhooks' ? `webhook ${path}` : `${method.toUpperCase()} ${path}`;
        const next = this.after[kind]?.[path]?.[method];
        if (next) this.operation(name, item[method], next, kind === 'webhooks');
        else if (!item[method].deprecated) this.faults.push(`${name} was removed`);
      }
    }
  }

  operation(name, before, after, isReceived) {
    this.parameters(name, before, after);
    this.scopes(name, before, after);
    this.requestBody(name, before, after, isReceived);
    for (const [status, response] of entries(before.responses)) {
      if (!status.startsWith('2')) continue;
      const next = after.responses?.[status];
      if (next) this.response(`${name}: response ${status}`, response, next);
      else this.faults.push(`${name}: response ${status} was removed`);
    }
  }

  parameters(name, before, after) {
    const keyed = (document, { parameters = [] }) =>
      new Map(parameters.map((each) => resolve(document, each)).map((each) => [`${each.in} ${each.name}`, each]));
    const known = keyed(this.before, before);
    const next = keyed(this.after, after);
    for (const [key, parameter] of known) {
      const place = `${name}: ${key}`;
      const other = next.get(key);
      if (!other) {
        if (!parameter.deprecated) this.faults.push(`${place} was removed`);
        continue;
      }
      if (other.required && !parameter.required) this.faults.push(`${place} is now required`);
      this.schema(place, parameter.schema, other.schema, 'input');
    }
    for (const [key, parameter] of next) {
      if (parameter.required && !known.has(key)) this.faults.push(`${name}: ${key} is new and required`);
    }
  }

  /** Each alternative of `security` that was enough must still be enough. */
  scopes(name, before, after) {
    if (!before.security || !after.security) return;
    const isEnough = (had, needed) =>
      entries(needed).every(([scheme, scopes]) => had[scheme] && scopes.every((scope) => had[scheme].includes(scope)));
    for (const had of before.security) {
      if (after.security.some((needed) => isEnough(had, needed))) continue;
      this.faults.push(`${name}: ${JSON.stringify(had)} is no longer enough`);
    }
  }

  requestBody(name, before, after, isReceived) {
    const known = resolve(this.before, before.requestBody);
    const next = resolve(this.after, after.requestBody);
    if (!isReceived && next?.required && !known?.required) this.faults.push(`${name}: body is now required`);
    for (const [type, { schema }] of entries(known?.content)) {
      const other = next?.content?.[type];
      if (other) this.schema(`${name}: body`, schema, other.schema, isReceived ? 'output' : 'input');
      else this.faults.push(`${name}: body ${type} was removed`);
    }
  }

  response(name, before, after) {
    const next = resolve(this.after, after);
    for (const [type, { schema }] of entries(resolve(this.before, before).content)) {
      const other = next.content?.[type];
      if (other) this.schema(name, schema, other.schema, 'output');
      else this.faults.push(`${name}: ${type} was removed`);
    }
  }

  /** `input` must accept all that it accepted; `output` must keep what programs read. */
  schema(place, givenBefore, givenAfter, direction, seen = new Set()) {
    const pair = `${givenBefore?.$ref} ${givenAfter?.$ref}`;
    if (givenBefore?.$ref && seen.has(pair)) return;
    const within = new Set([...seen, pair]);
    const before = flat(this.before, givenBefore);
    const after = flat(this.after, givenAfter);
    this.types(place, before, after, direction);
    this.values(place, before, after, direction);
    if (direction === 'input') this.limits(place, before, after);
    this.members(place, before, after, direction, within);
    if (before.items && after.items) this.schema(`${place}[]`, before.items, after.items, direction, within);
    if (isSchema(before.additionalProperties) && isSchema(after.additionalProperties)) {
      this.schema(`${place}.*`, before.additionalProperties, after.additionalProperties, direction, within);
    }
    this.variants(place, before, after, direction, within);
  }

  types(place, before, after, direction) {
    const [known, next] = [getTypes(before), getTypes(after)];
    const [wide, narrow] = direction === 'input' ? [next, known] : [known, next];
    if (covers(wide, narrow)) return;
    const words = [known, next].map((types) => types?.join(' or ') ?? 'any type');
    this.faults.push(`${place} changed from ${words[0]} to ${words[1]}`);
  }

  values(place, before, after, direction) {
    const [known, next] = [getValues(before), getValues(after)];
    if (known && next) {
      const removed = known.filter((value) => !next.includes(value));
      if (removed.length > 0) this.faults.push(`${place} no longer has ${removed.join(', ')}`);
    } else if (next && direction === 'input') {
      this.faults.push(`${place} takes only ${next.join(', ')} now`);
    } else if (known && direction === 'output') {
      this.faults.push(`${place} is no longer one of ${known.join(', ')}`);
    }
  }

  limits(place, before, after) {
    for (const name of ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']) {
      if ((after[name] ?? -Infinity) > (before[name] ?? -Infinity) && !isFree(name, after[name])) {
        this.faults.push(`${place}: ${name} was raised from ${before[name] ?? 'none'} to ${after[name]}`);
      }
    }
    for (const name of ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']) {
      if ((after[name] ?? Infinity) < (before[name] ?? Infinity)) {
        this.faults.push(`${place}: ${name} was lowered from ${before[name] ?? 'none'} to ${after[name]}`);
      }
    }
    for (const name of ['pattern', 'format', 'multipleOf', 'uniqueItems']) {
      if (after[name] !== undefined && after[name] !== before[name]) {
        this.faults.push(`${place}: ${name} changed from ${before[name] ?? 'none'} to ${after[name]}`);
      }
    }
  }

  members(place, before, after, direction, seen) {
    const isRequired = (schema, name) => (schema.required ?? []).includes(name);
    for (const [name, member] of entries(before.properties)) {
      const at = `${place}.${name}`;
      const other = after.properties?.[name];
      if (!other) {
        if (!member.deprecated) this.faults.push(`${at} was removed`);
        continue;
      }
      if (direction === 'input' && isRequired(after, name) && !isRequired(before, name)) {
        this.faults.push(`${at} is now required`);
      }
      if (direction === 'output' && isRequired(before, name) && !isRequired(after, name)) {
        this.faults.push(`${at} may be absent now`);
      }
      this.schema(at, member, other, direction, seen);
    }
    if (direction !== 'input') return;
    for (const name of after.required ?? []) {
      if (!before.properties?.[name] && !isRequired(before, name)) {
        this.faults.push(`${place}.${name} is new and required`);
      }
    }
    if (after.additionalProperties === false && (before.additionalProperties ?? true) !== false) {
      this.faults.push(`${place} takes no other members now`);
    }
  }

  /** Each variant must have one that takes its place. */
  variants(place, before, after, direction, seen) {
    const [known, next] = [getVariants(before), getVariants(after)];
    if (known.length > 0 && next.length === 0) {
      if (direction === 'output') this.faults.push(`${place} has no variants any more`);
      return;
    }
    if (known.length === 0) {
      if (next.length > 0 && direction === 'input') this.faults.push(`${place} takes only certain variants now`);
      return;
    }
    for (const [at, variant] of known.entries()) {
      const tried = next.map((other) => {
        const comparison = new Comparison(this.before, this.after);
        comparison.schema(`${place} (variant ${at + 1})`, variant, other, direction, seen);
        return comparison.faults;
      });
      if (tried.some((faults) => faults.length === 0)) continue;
      const [closest = []] = tried.sort((one, other) => one.length - other.length);
      this.faults.push(...closest);
    }
  }
}

const isSchema = (value) => typeof value === 'object' && value !== null;
/** A minimum of 0 for a length or a count refuses nothing. */
const isFree = (name, value) => value === 0 && !/imum$/i.test(name);
const getVariants = ({ oneOf, anyOf }) => oneOf ?? anyOf ?? [];
const getTypes = ({ type }) => (type === undefined ? undefined : [type].flat());
const getValues = (schema) => ('const' in schema ? [schema.const] : schema.enum);

/** Undefined stands for all types. A number covers an integer. */
function covers(wide, narrow) {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number')));
}

function resolve(document, value) {
  if (!value?.$ref) return value;
  const found = value.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  if (found === undefined) throw new Error(`${value.$ref} does not exist in the document`);
  return resolve(document, found);
}

/** A schema without `$ref` and `allOf`. */
function flat(document, given) {
  const schema = resolve(document, given) ?? {};
  const parts = (schema.allOf ?? []).map((each) => flat(document, each));
  return parts.reduce(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    }),
    schema,
  );
}
