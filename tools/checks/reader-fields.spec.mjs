import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const docs = join(import.meta.dirname, '../../docs');
const { schemas } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')).components;
const page = readFileSync(join(docs, 'reader-fields.md'), 'utf8').split('\n## ')[0];
const named = [...page.matchAll(/`([A-Z]\w+)\.(\w+)`/g)].map(([, schema, member]) => `${schema}.${member}`);

/** Words with which descriptions name the readers of a member. */
const dependsOnReader =
  /(?<!waits )for (its|the) owner|for the creator|for members only|for callers who|the caller may (see|attribute)|until the battle is closed|hidden from the caller|for operators|for a voter/i;

const members = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
  Object.entries(properties).map(([member, { description = '' }]) => ({ name: `${schema}.${member}`, description })),
);

it('names members that exist', () => {
  const all = members.map(({ name }) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !all.includes(name))).toEqual([]);
});

it('has every member whose description names its readers', () => {
  const described = members.filter(({ description }) => dependsOnReader.test(description)).map(({ name }) => name);
  expect(described.filter((name) => !named.includes(name))).toEqual([]);
});
