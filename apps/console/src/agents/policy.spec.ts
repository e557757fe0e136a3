import { expect, it } from '@jest/globals';
import { readPolicy } from './policy';

it('makes a policy of the fields: an unknown rule denies, an empty cap is none, 0 is one', () => {
  const fields: Readonly<Record<string, string>> = {
    run_lens: 'ask',
    cast_vote: 'allow',
    join_battle: 'maybe',
    runsPerDay: '0',
  };
  expect(readPolicy((name) => fields[name] ?? '')).toEqual({
    actions: {
      run_lens: 'ask',
      run_workflow: 'deny',
      create_battle: 'deny',
      join_battle: 'deny',
      submit_entry: 'deny',
      cast_vote: 'allow',
    },
    creditsPerDay: null,
    runsPerDay: 0,
  });
});
