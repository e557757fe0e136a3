import type { Migration } from '../migration.js';

/** Prompt and judging runs. The former checks were stricter, so that no stored run has to be checked again. */
export const runKinds: Migration = {
  version: 3,
  name: 'run-kinds',
  sql: `
alter table runs
  drop constraint runs_kind_check,
  drop constraint runs_lens_has_model,
  add constraint runs_kind_check check (kind in ('lens', 'workflow', 'prompt', 'judging')) not valid,
  add constraint runs_answer_has_model check (kind in ('workflow', 'judging') or model_id is not null) not valid;
`,
};
