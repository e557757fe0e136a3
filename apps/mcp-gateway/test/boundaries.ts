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
  /** The path of the expected fault; undefined for valid arguments. */
  fault?: string;
}

const wrongTypes: Readonly<Record<string, unknown[]>> = {
  string: [7, true, null, [], {}],
  integer: ['1', true, null, 1.5, [], {}],
  boolean: ['true', 1, 0, null, [], {}],
  array: ['x', {}, null, 1],
  object: ['x', [], null, 1],
};

/** Calls at and just beyond each limit in the schema of a tool. */
export function boundariesOf({ properties, required = [] }: ObjectSchema): Case[] {
  const cases: Case[] = [
    { what: 'an unknown argument', change: (args) => ({ ...args, frobnicate: 1 }), fault: 'frobnicate' },
  ];
  for (const [name, schema] of Object.entries(properties)) {
    const add = (what: string, value: unknown, isGood: boolean, fault = name): void => {
      const change = (args: Record<string, unknown>) => ({ ...args, [name]: value });
      cases.push({ what: `${name} ${what}`, change, ...(!isGood && { fault }) });
    };
    const wrong = schema.type ? (wrongTypes[schema.type] ?? []) : [];
    for (const value of wrong) add(`as ${JSON.stringify(value)}`, value, false);
    if (required.includes(name)) {
      const change = ({ [name]: _, ...rest }: Record<string, unknown>) => rest;
      cases.push({ what: `a call without ${name}`, change, fault: name });
    }
    if (schema.minimum !== undefined) {
      add('at its minimum', schema.minimum, true);
      add('below its minimum', schema.minimum - 1, false);
    }
    if (schema.maximum !== undefined) {
      add('at its maximum', schema.maximum, true);
      add('above its maximum', schema.maximum + 1, false);
    }
    if (schema.minLength !== undefined) {
      add('at its shortest', 'x'.repeat(schema.minLength), true);
      add('too short', 'x'.repeat(schema.minLength - 1), false);
    }
    if (schema.maxLength !== undefined && !schema.enum) {
      add('at its longest', 'x'.repeat(schema.maxLength), true);
      add('at its longest, beyond the basic plane', '😀'.repeat(schema.maxLength), true);
      add('too long', 'x'.repeat(schema.maxLength + 1), false);
    }
    for (const value of schema.enum ?? []) add(`as ${value}`, value, true);
    if (schema.enum) add('with a value that is not in its enum', 'frobnicate', false);
    if (schema.const !== undefined) add('as false', false, false);
    if (schema.format === 'uuid') {
      for (const value of ['', 'x', '0'.repeat(32), '0000000-0000-0000-0000-000000000000'])
        add(`as "${value}"`, value, false);
    }
    if (schema.type === 'array') {
      const items = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `P${at}`, optional: true }));
      add('with too many items', items((schema.maxItems ?? 0) + 1), false);
      add('with an item of the wrong type', ['x'], false, `${name}.0`);
      add('with an item that lacks its label', [{}], false, `${name}.0.label`);
      add('with an item that has an unknown member', [{ label: 'a', more: 1 }], false, `${name}.0.more`);
    }
    if (schema.type === 'object' && schema.additionalProperties === true) {
      add('with members of any kind', { a: 1, b: ['x', null], c: {} }, true);
    } else if (schema.type === 'object') {
      add('with a member that is not a string', { a: 1 }, false, `${name}.a`);
      add('with a member that is too long', { a: 'x'.repeat(100_001) }, false, `${name}.a`);
    }
  }
  return cases;
}
