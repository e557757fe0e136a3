import { type Shape, type ValueType, isFreeForm, listFields } from '@lensforge/contracts';
import { requestsAndAll } from './sdk-shapes.js';

type Schema = Readonly<Record<string, unknown>>;

/** A docstring, with the indentation of what it describes. */
export const docstring = (text: string, indent: string): string =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '\\"')}"""\n`;

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

function typeOfSchema({ enum: values, anyOf, type, items }: Schema): string {
  if (Array.isArray(values)) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  if (Array.isArray(anyOf)) return union(anyOf.map((each: Schema) => typeOfSchema(each)));
  if (type === 'array') return `List[${typeOfSchema((items ?? {}) as Schema)}]`;
  if (type === 'integer') return 'int';
  if (type === 'number') return 'float';
  if (type === 'string') return 'str';
  if (type === 'boolean') return 'bool';
  return type === 'object' ? 'Dict[str, Any]' : 'Any';
}

function writeType({ nested, item, schema }: ValueType): string {
  if (nested) return nested().name;
  return item ? `List[${writeType(item)}]` : typeOfSchema(schema);
}

const keywords = new Set(
  `and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

/** A name of Python; one that is a keyword gets an underscore. */
export const toPythonName = (name: string): string =>
  (keywords.has(name) ? `${name}_` : name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function writeDict(shape: Shape, inRequest: boolean): string {
  if (isFreeForm(shape)) return `${shape.name} = Dict[str, Any]\n`;
  const defaults = new shape() as Record<string, unknown>;
  const members = [...listFields(shape)].map(([name, { type, description, optional, nullable }]) => {
    const whole = `${writeType(type)}${nullable ? ' | None' : ''}`;
    const isAbsent = optional ?? (inRequest && defaults[name] !== undefined);
    return { name, description, type: isAbsent ? `NotRequired[${whole}]` : whole };
  });
  // A class has only members that are names of Python; a call has any.
  if (members.every(({ name }) => isName(name))) {
    const lines = members.map(
      ({ name, type, description }) => `    ${name}: ${type}\n${description ? docstring(description, '    ') : ''}`,
    );
    return `class ${shape.name}(TypedDict):\n${lines.join('') || '    pass\n'}`;
  }
  const lines = members.map(({ name, type }) => `        ${JSON.stringify(name)}: ${JSON.stringify(type)},\n`);
  return `${shape.name} = TypedDict(\n    "${shape.name}",\n    {\n${lines.join('')}    },\n)\n`;
}

/** The module of the objects that cross the API. */
export function pythonShapes(others: readonly Shape[]): string {
  const { all, requests } = requestsAndAll(others);
  return `"""The objects that cross the API. Written by \`npm run generate\` from the endpoint table of libs/contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


${all.map((shape) => writeDict(shape, requests.has(shape))).join('\n\n')}`;
}
