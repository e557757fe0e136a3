import { aLens } from '@lensforge/lenses/testing';
import type { Example, Fixtures } from './fixtures.js';

const body = 'Summarise the following text for [[Audience]] in the style of [[Style!]], please.';
const missing = ({ missing: lens_id }: Fixtures) => ({ lens_id });
const foreign = ({ theirPublic }: Fixtures) => ({ lens_id: theirPublic.id });
const mine = ({ myLens }: Fixtures) => ({ lens_id: myLens.id });

export const lensExamples: Record<string, Example> = {
  list_lenses: { good: () => ({}), errors: {} },
  search_lenses: { good: () => ({ query: 'greeting' }), errors: {} },
  get_lens: { good: mine, errors: { NOT_FOUND: missing }, names: 'lens_id' },
  list_lens_versions: { good: mine, errors: { NOT_FOUND: missing }, names: 'lens_id' },
  get_lens_version: {
    good: (fixtures) => ({ ...mine(fixtures), semver: '1.0.0' }),
    errors: { BAD_INPUT: mine, NOT_FOUND: (fixtures) => ({ ...mine(fixtures), semver: '9.9.9' }) },
    names: 'lens_id',
  },
  extract_lens_params: { good: mine, errors: { NOT_FOUND: missing }, names: 'lens_id' },
  validate_lens_params: {
    good: (fixtures) => ({ ...mine(fixtures), values: { name: 'Ada' } }),
    errors: { NOT_FOUND: (fixtures) => ({ ...missing(fixtures), values: {} }) },
    names: 'lens_id',
  },
  create_lens: {
    good: () => ({ title: 'Summary', template_body: body }),
    errors: {
      BAD_INPUT: () => ({ title: 'Summary', template_body: body, params: [{ label: 'Other', optional: false }] }),
    },
  },
  update_lens: {
    good: (fixtures) => ({ ...mine(fixtures), template_body: body }),
    errors: {
      NOT_FOUND: missing,
      FORBIDDEN: (fixtures) => ({ ...foreign(fixtures), template_body: body }),
      BAD_INPUT: (fixtures) => ({ ...mine(fixtures), params: [] }),
    },
    names: 'lens_id',
  },
  fork_lens: {
    good: ({ theirPublic }) => ({ source_lens_id: theirPublic.id }),
    errors: {
      NOT_FOUND: (fixtures) => ({ source_lens_id: fixtures.missing }),
      BAD_INPUT: async ({ mine: { ctx } }) => ({ source_lens_id: (await aLens(ctx, { visibility: 'private' })).id }),
    },
    names: 'source_lens_id',
  },
  set_lens_visibility: {
    good: (fixtures) => ({ ...mine(fixtures), visibility: 'private' }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), visibility: 'public' }),
      FORBIDDEN: (fixtures) => ({ ...foreign(fixtures), visibility: 'private' }),
    },
    names: 'lens_id',
  },
  run_lens: {
    good: (fixtures) => ({ ...mine(fixtures), param_values: { name: 'Ada' } }),
    errors: { NOT_FOUND: missing, MISSING_PARAMS: mine },
    names: 'lens_id',
  },
  find_and_run_lens: { good: () => ({ query: 'greeting' }), errors: {} },
  archive_lens: { good: mine, errors: { NOT_FOUND: missing, FORBIDDEN: foreign }, names: 'lens_id' },
  delete_lens: {
    good: (fixtures) => ({ ...mine(fixtures), confirm: true }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), confirm: true }),
      FORBIDDEN: (fixtures) => ({ ...foreign(fixtures), confirm: true }),
    },
    names: 'lens_id',
  },
};
