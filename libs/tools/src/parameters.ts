import {
  type FieldOptions,
  battleStatuses,
  battleTypes,
  field,
  flag,
  integer,
  list,
  confirmationKind,
  nestedKind,
  oneOf,
  text,
  textsKind,
  uuid,
} from '@lensforge/contracts';

/** Arguments that many tools share, with their limits and descriptions. */

export const lensVisibilities = ['public', 'community', 'private'] as const;
export const lensStatuses = ['draft', 'published', 'archived'] as const;

export const lensId = (description = 'The id of the lens, as list_lenses and search_lenses give it.') =>
  uuid({ description });

export const versionId = (description = 'A version of this lens; its newest one when left out.') =>
  uuid({ optional: true, description });

export const limit = () => integer({ min: 1, max: 100, description: 'Maximum number of items.' });

export const offset = () => integer({ min: 0, description: 'Number of items to skip.' });

export const visibility = (options: FieldOptions) => oneOf(lensVisibilities, options);

export const searchQuery = (description: string) => text({ min: 1, max: 1000, description });

export const title = (options: FieldOptions & { pattern?: RegExp }) => text({ min: 1, max: 200, ...options });

export const templateBody = (options: FieldOptions) => text({ min: 50, max: 100_000, ...options });

export class ParamArgument {
  @text({ min: 1, max: 100, description: 'The name between the brackets in the template.' })
  label!: string;

  @flag({ description: 'True for [[Name!]], false for [[Name]].' })
  optional = false;
}

export const params = () =>
  list(
    nestedKind(() => ParamArgument),
    {
      max: 450,
      optional: true,
      description: 'Must match the parameters of the template; optional.',
    },
  );

export const paramValues = (description: string) => field(textsKind(100_000), { description });

/** A flag that must be true, against accidents. */
export const confirmation = (options: FieldOptions) => field(confirmationKind(), options);

export const battleId = (description = 'The id of the battle, as list_battles gives it.') => uuid({ description });

export const battleType = (options: FieldOptions) => oneOf(battleTypes, options);

export const battleStatus = (options: FieldOptions) => oneOf(battleStatuses, options);

export const workflowId = (description = 'The id of the workflow, as list_workflows gives it.') =>
  uuid({ description });

export const runId = (description = 'The id of the run, as run_workflow gives it.') => uuid({ description });

export const workflowVisibility = (options: FieldOptions) => oneOf(['public', 'private', 'unlisted'], options);

export const experimentId = (description = 'The id of the experiment, as start_experiment gives it.') =>
  uuid({ description });

export const aiLenserId = (description = 'The id of the AI lenser, as list_ai_lensers gives it.') =>
  uuid({ description });

export const displayName = (options: FieldOptions) => text({ min: 1, max: 100, pattern: /\S/, ...options });

export const bio = (options: FieldOptions) => text({ max: 2000, ...options });

export const aiModelKey = (options: FieldOptions) => text({ min: 1, max: 200, ...options });
