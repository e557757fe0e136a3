import { expect, it } from '@jest/globals';
import { toolErrorCodes, tools } from '@lensforge/tools';
import { examples } from './examples/index.js';

/** Errors that the service role alone can get; stdio.spec.ts covers them. */
const isForServiceRole = (name: string, code: string): boolean =>
  code === 'MISSING_LENSER' || (name === 'start_agent_team_run' && code !== 'PERMISSION_DENIED');

it('each tool has an example for each error it declares', () => {
  expect(Object.keys(examples).sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const { name, errors } of tools) {
    const covered = Object.keys(examples[name]?.errors ?? {});
    expect({ name, covered: covered.sort() }).toEqual({
      name,
      covered: errors.filter((code) => !isForServiceRole(name, code)).sort(),
    });
    for (const code of errors) expect(toolErrorCodes).toContain(code);
  }
});
