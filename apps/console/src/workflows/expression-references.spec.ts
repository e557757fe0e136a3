import { describe, expect, it } from '@jest/globals';
import { nodeReferences, renameInExpression } from './expression-references.js';

const renamed = (expression: string, to = 'text'): string => renameInExpression(expression, 'draft', to);

describe('renameInExpression', () => {
  it.each([
    ['nodes.draft.output', 'nodes.text.output'],
    ['nodes.draft', 'nodes.text'],
    ['nodes . draft.output', 'nodes .text.output'],
    ['nodes.?draft.output', 'nodes.?text.output'],
    ['nodes["draft"].output', 'nodes["text"].output'],
    ["nodes[?'draft'].output", 'nodes[?"text"].output'],
    ['nodes[r"draft"].output', 'nodes["text"].output'],
    ['size(nodes.draft.output) + nodes.draft.output.x', 'size(nodes.text.output) + nodes.text.output.x'],
    ['{"a": [nodes.draft.status]}', '{"a": [nodes.text.status]}'],
    ['has(nodes.draft.output)', 'has(nodes.text.output)'],
    ['inputs.list.map(x, x + nodes.draft.output)', 'inputs.list.map(x, x + nodes.text.output)'],
    ['inputs.list[nodes.draft.output]', 'inputs.list[nodes.text.output]'],
    ['nodes.other.output[nodes["draft"].output]', 'nodes.other.output[nodes["text"].output]'],
    // One that a person has not finished.
    ['size(nodes.draft.ou', 'size(nodes.text.ou'],
  ])('follows in %s', (expression, after) => {
    expect(renamed(expression)).toBe(after);
  });

  it.each([
    'nodes.draft2.output + nodes.draft_2 + nodes["draft-2"].output',
    'nodes.predraft.output',
    'nodes.other.draft',
    'nodes["other"]["draft"]',
    'inputs.nodes.draft + inputs.?nodes.draft',
    'inputs.draft + draft',
    '"nodes.draft.output"',
    "'nodes.draft' + 'it\\'s nodes.draft'",
    '"""a "quoted" nodes.draft"""',
    'r"\\" + "nodes.draft"',
    '"nodes[\\"draft\\"]"',
    '"no end: nodes.draft',
    '// nodes.draft\ninputs.x',
    'mynodes.draft',
    'inputs.list.map(nodes, nodes.draft)',
    'cel.bind(nodes, inputs.x, nodes.draft)',
    'nodes["draft" + "x"]',
  ])('leaves %s alone', (expression) => {
    expect(renamed(expression)).toBe(expression);
  });

  it('sees the nodes outside of a loop that has a variable of their name', () => {
    expect(renamed('inputs.list.map(nodes, nodes.draft) == nodes.draft')).toBe(
      'inputs.list.map(nodes, nodes.draft) == nodes.text',
    );
    expect(renamed('cel.bind(nodes, nodes.draft, nodes.draft)')).toBe('cel.bind(nodes, nodes.text, nodes.draft)');
  });

  it('uses brackets for an id that cannot follow a dot', () => {
    expect(renamed('nodes.draft.output', 'first-draft')).toBe('nodes["first-draft"].output');
    expect(renamed('nodes.?draft.output', 'in')).toBe('nodes[?"in"].output');
    expect(renamed('nodes["draft"].output', 'first-draft')).toBe('nodes["first-draft"].output');
  });
});

describe('nodeReferences', () => {
  it('knows which ones are within has()', () => {
    const references = nodeReferences('has(nodes.a.output) && has(inputs.x) && nodes.b.output.has(nodes.c)');
    expect(references.map(({ id, isInHas }) => [id, isInHas])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
  });
});
