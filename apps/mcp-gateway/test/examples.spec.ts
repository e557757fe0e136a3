import { expect, it } from '@jest/globals';
import { toolErrorCodes, tools } from '@lensforge/tools';
import { examples } from './examples/index.js';

it('each tool has an example for each error it declares', () => {
  expect(Object.keys(examples).sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const { name, errors } of tools) {
    const covered = Object.keys(examples[name]?.errors ?? {});
    // Only the service role has no lenser; stdio.spec.ts covers that error.
    expect({ name, covered: covered.sort() }).toEqual({
      name,
      covered: errors.filter((code) => code !== 'MISSING_LENSER').sort(),
    });
    for (const code of errors) expect(toolErrorCodes).toContain(code);
  }
});
