import { blindCauses } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

/** A run of a lens or workflow with what decides about its release. */
export interface RunTarget {
  runId: string;
  accountId: string;
  lensId: string | null;
  workflowId: string | null;
  versionId: string | null;
  label: string | null;
  ofExperiment: boolean;
}

/** The lens or workflow of runs; prompts, judgements and runs with a blind cause are left out. The caller checks access. */
export const readRunTargets = ({ db }: Context, runIds: readonly string[]): Promise<RunTarget[]> =>
  db.query(
    `select id as "runId", account_id as "accountId", lens_id as "lensId", workflow_id as "workflowId", label,
            coalesce(workflow_version_id, lens_version_id) as "versionId",
            coalesce(cause ->> 'kind' = 'experiment', false) as "ofExperiment"
       from runs where id = any ($1::uuid[]) and kind in ('lens', 'workflow') and (cause ->> 'kind' = any ($2)) is not true`,
    [runIds, blindCauses],
  );
