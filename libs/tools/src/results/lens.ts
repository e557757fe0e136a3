import {
  LensInclude,
  LensMessage,
  LensSettings,
  dateTime,
  flag,
  integer,
  list,
  nested,
  nestedKind,
  oneOf,
  text,
  textKind,
  uuid,
} from '@lensforge/contracts';
import type { LensDetail, LensPage, LensSummary, VersionDetail } from '@lensforge/lenses';
import { lensStatuses, lensVisibilities } from '../parameters.js';
import { LibraryItemResult, renamedMembers } from './library-item.js';
import { PageResult, pageResult } from './page.js';
import { toResult } from './to-result.js';

/** Lenses as tool results. */

export class ParamResult {
  @uuid()
  id!: string;

  @text()
  label!: string;

  @flag({ description: 'True when it may be left empty.' })
  optional!: boolean;
}

/** The number of shortest parameters that fit in the longest template. */
export const maxParams = 20_000;

export const paramList = () =>
  list(
    nestedKind(() => ParamResult),
    { max: maxParams, description: 'The parameters of the template, in order.' },
  );

export class LensItemResult extends LibraryItemResult {
  @oneOf(lensVisibilities)
  visibility!: string;

  @oneOf(lensStatuses)
  status!: string;

  @text({ description: 'The number of the newest version.' })
  semver!: string;

  @paramList()
  version_parameters!: ParamResult[];

  @list(textKind())
  tags!: string[];
}

export class LensPageResult extends PageResult {
  @list(nestedKind(() => LensItemResult))
  items!: LensItemResult[];

  @integer({ min: 0, description: 'Number of lenses that you can see; a search counts up to 1,000.' })
  total!: number;
}

export class HeadResult {
  @uuid()
  id!: string;

  @text()
  semver!: string;

  @text()
  template_body!: string;

  @text()
  changelog!: string;
}

export class LensResult extends LensItemResult {
  @uuid({ nullable: true, description: 'The lens that this one was forked from.' })
  parent_lens_id!: string | null;

  @nested(() => HeadResult, { description: 'The newest version.' })
  versions!: HeadResult;
}

export class VersionResult {
  @uuid()
  id!: string;

  @uuid()
  lens_id!: string;

  @text()
  semver!: string;

  @text()
  template_body!: string;

  @text()
  changelog!: string;

  @dateTime()
  created_at!: string;

  @paramList()
  version_parameters!: ParamResult[];

  @list(nestedKind(() => LensMessage), {
    nullable: true,
    description: 'The parts of template_body; null when it is one text.',
  })
  messages!: LensMessage[] | null;

  @nested(() => LensSettings, { nullable: true, description: 'The settings of its calls of models.' })
  settings!: LensSettings | null;

  @list(nestedKind(() => LensInclude), {
    nullable: true,
    description: 'The lenses whose texts it includes, as they were when it was saved; null without any.',
  })
  includes!: LensInclude[] | null;
}

const lensMembers = (lens: LensSummary) => ({
  ...renamedMembers(lens),
  semver: lens.headVersion.semver,
  version_parameters: lens.params,
});

export const lensItem = (lens: LensSummary): LensItemResult => toResult(LensItemResult, lens, lensMembers(lens));

export const lensPage = (page: LensPage): LensPageResult => pageResult(page, lensItem);

export const lensResult = (lens: LensDetail): LensResult =>
  toResult(LensResult, lens, {
    ...lensMembers(lens),
    versions: toResult(HeadResult, { ...lens, ...lens.headVersion }),
  });

export const versionResult = (version: VersionDetail): VersionResult =>
  toResult(VersionResult, version, { version_parameters: version.params });
