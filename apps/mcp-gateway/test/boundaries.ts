interface Schema {
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  enum?: string[];
  const?: unknown;
  format?: string;
  default?: unknown;
  additionalProperties?: unknown;
  items?: Schema & { properties?: Record<string, Schema>; required?: string[] };
}

export interface ObjectSchema {
  properties: Record<string, Schema>;
  required?: string[];
}

export interface Case {
  what: string;
  change: (args: Record<string, unknown>) => Record<string, unknown>;
  /** Where the fault is; undefined when there is none. */
  fault?: string;
}

const wrongTypes: Readonly<Record<string, unknown[]>> = {
  string: [7, true, null, [], {}],
  integer: ['1', true, null, 1.5, [], {}],
  boolean: ['true', 1, 0, null, [], {}],
  array: ['x', {}, null, 1],
  object: ['x', [], null, 1],
};

/** What the schema of a tool says about each of its arguments, as calls that keep to it by a hair or break it by one. */
export function boundariesOf({ properties, required = [] }: ObjectSchema): Case[] {
  const cases: Case[] = [
    { what: 'an argument that there is not', change: (args) => ({ ...args, frobnicate: 1 }), fault: 'frobnicate' },
  ];
  for (const [name, schema] of Object.entries(properties)) {
    const put = (what: string, value: unknown, isGood: boolean, fault = name): void => {
      const change = (args: Record<string, unknown>) => ({ ...args, [name]: value });
      cases.push({ what: `${name} ${what}`, change, ...(!isGood && { fault }) });
    };
    const wrong = schema.type ? (wrongTypes[schema.type] ?? []) : [];
    for (const value of wrong) put(`as ${JSON.stringify(value)}`, value, false);
    if (required.includes(name)) {
      const change = ({ [name]: _, ...rest }: Record<string, unknown>) => rest;
      cases.push({ what: `no ${name}`, change, fault: name });
    }
    if (schema.minimum !== undefined) {
      put('at its least', schema.minimum, true);
      put('below its least', schema.minimum - 1, false);
    }
    if (schema.maximum !== undefined) {
      put('at its most', schema.maximum, true);
      put('above its most', schema.maximum + 1, false);
    }
    if (schema.minLength !== undefined) {
      put('at its shortest', 'x'.repeat(schema.minLength), true);
      put('too short', 'x'.repeat(schema.minLength - 1), false);
    }
    if (schema.maxLength !== undefined && !schema.enum) {
      put('at its longest', 'x'.repeat(schema.maxLength), true);
      put('at its longest, beyond the basic plane', '😀'.repeat(schema.maxLength), true);
      put('too long', 'x'.repeat(schema.maxLength + 1), false);
    }
    for (const value of schema.enum ?? []) put(`as ${value}`, value, true);
    if (schema.enum) put('as none of its values', 'frobnicate', false);
    if (schema.const !== undefined) put('as false', false, false);
    if (schema.format === 'uuid') {
      for (const value of ['', 'x', '0'.repeat(32), '0000000-0000-0000-0000-000000000000'])
        put(`as "${value}"`, value, false);
    }
    if (schema.type === 'array') {
      const items = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `P${at}`, optional: true }));
      put('with too many items', items((schema.maxItems ?? 0) + 1), false);
      put('with an item that is none', ['x'], false, `${name}.0`);
      put('with an item that lacks its label', [{}], false, `${name}.0.label`);
      put('with an item that has more', [{ label: 'a', more: 1 }], false, `${name}.0.more`);
    }
    if (schema.type === 'object' && schema.additionalProperties === true) {
      put('with members of any kind', { a: 1, b: ['x', null], c: {} }, true);
    } else if (schema.type === 'object') {
      put('with a member that is no text', { a: 1 }, false, `${name}.a`);
      put('with a member that is too long', { a: 'x'.repeat(100_001) }, false, `${name}.a`);
    }
  }
  return cases;
}
