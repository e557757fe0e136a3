import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { toolScopes } from '@lensforge/contracts';
import { estimateTokens } from '@lensforge/lenses';
import { catalogue, tools, toolsets } from './catalogue.js';
import type { ToolClass } from './tool.js';

/** The number of tools by group and class. */
const documented: Record<string, Record<ToolClass, number>> = {
  lenses: { Read: 7, Write: 4, Execute: 2, Destructive: 2 },
  battles: { Read: 4, Write: 4, Execute: 0, Destructive: 0 },
  workflows: { Read: 5, Write: 1, Execute: 2, Destructive: 0 },
  agents: { Read: 4, Write: 3, Execute: 2, Destructive: 3 },
};

const groups = Object.entries(catalogue);
const folder = fileURLToPath(new URL('./tools/', import.meta.url));

it('the catalogue has the documented number of tools by group and class', () => {
  for (const [group, members] of groups) {
    const counted = { Read: 0, Write: 0, Execute: 0, Destructive: 0 };
    for (const { class: kind } of members) counted[kind] += 1;
    expect({ group, counted }).toEqual({ group, counted: documented[group] });
  }
});

it('has 43 tools: 15 of lenses, 8 of battles, 8 of workflows and 12 of agents, by class 20, 12, 6 and 5', () => {
  expect([tools.length, ...groups.map(([, members]) => members.length)]).toEqual([43, 15, 8, 8, 12]);
  const ofClass = (wanted: ToolClass) => tools.filter(({ class: kind }) => kind === wanted).length;
  expect([ofClass('Read'), ofClass('Write'), ofClass('Execute'), ofClass('Destructive')]).toEqual([20, 12, 6, 5]);
});

it('has the scopes that grants of tools give to AI lensers', () => {
  expect(Object.fromEntries(tools.map(({ name, scope }) => [name, scope]))).toEqual(toolScopes);
});

it('the catalogue and the tool files have the same names', () => {
  const inFiles = readdirSync(folder).flatMap((group) =>
    readdirSync(`${folder}${group}`)
      .filter((file) => !file.endsWith('.spec.ts'))
      .map((file) => `${group}/${file}`),
  );
  const inCatalogue = [...groups, ...Object.entries(toolsets)].flatMap(([group, members]) =>
    members.map(({ name }) => `${group}/${name.replaceAll('_', '-')}.ts`),
  );
  expect(inFiles.sort()).toEqual(inCatalogue.sort());
  const all = [...tools, ...Object.values(toolsets).flat()];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

it('takes at most 12,000 tokens of a model, which reads names, descriptions and arguments', async () => {
  const read = tools.map(({ listed: { name, description, inputSchema } }) => ({ name, description, inputSchema }));
  expect(await estimateTokens(JSON.stringify(read))).toBeLessThanOrEqual(12_000);
});

const hints: Record<ToolClass, object> = {
  Read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  Write: { readOnlyHint: false, destructiveHint: false },
  Execute: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  Destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const { title, description, annotations, inputSchema, outputSchema } = tool.listed as {
    title: string;
    description: string;
    annotations: object;
    inputSchema: { type: string; additionalProperties: boolean; properties: Record<string, { description?: string }> };
    outputSchema: { type: string };
  };

  it('is named verb_noun and describes in a few sentences when to use it or another tool', () => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(title.length).toBeLessThanOrEqual(50);
    expect(description.length).toBeGreaterThan(120);
    expect(description.length).toBeLessThan(600);
    expect(description).toMatch(/\bUse it\b|\buse [a-z]+_|Ask the user/);
    const others = [...description.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word);
    const known = new Set([...tools.map((each) => each.name), ...Object.keys(inputSchema.properties), ...memberNames]);
    expect(others.filter((word) => !known.has(word))).toEqual([]);
  });

  it('has the annotations of its class', () => {
    expect(annotations).toMatchObject({ title, ...hints[tool.class] });
  });

  it('describes each argument in a schema without references', () => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    for (const [argument, { description: text }] of Object.entries(inputSchema.properties)) {
      expect({ argument, text }).toEqual({ argument, text: expect.stringMatching(/\w+ \w+/) });
    }
    expect(JSON.stringify(tool.listed)).not.toMatch(/"(\$ref|\$defs|anyOf|oneOf|allOf)"/);
    expect(outputSchema.type).toBe('object');
  });
});

const memberNames = [
  'lens_id',
  'created_at',
  'resolved_prompt',
  'needs_params',
  'next_step',
  'no_match',
  'approval_required',
];
