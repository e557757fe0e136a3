import type { LensSettings } from '@lensforge/contracts';
import type { LabelPlace } from '@lensforge/releases';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import type { LensInclude } from './include-tags.js';
import type { LensMessage } from './messages.js';
import type { LensParam } from './template.js';

export interface LensAuthor {
  id: string;
  handle: string;
  displayName: string;
}

/** A lens in a list. */
export interface LensSummary {
  id: string;
  title: string;
  description: string;
  visibility: LensVisibility;
  status: LensStatus;
  author: LensAuthor;
  headVersion: { id: string; semver: string };
  params: LensParam[];
  tags: string[];
  createdAt: string;
  updatedAt: string;
}

export interface LabelDetail extends LabelPlace {
  semver: string;
}

export interface LensDetail extends LensSummary {
  /** The template of the newest version. */
  templateBody: string;
  changelog: string;
  /** The lens that this one was forked from; null when there is none or the caller may not see it. */
  parentLensId: string | null;
  labels: LabelDetail[];
  /** The label whose version callers get that name none; null for the newest version. */
  defaultLabel: string | null;
  servedVersion: { id: string; semver: string };
  /** The parts of the template; null when it is one text. */
  messages: LensMessage[] | null;
  settings: LensSettings | null;
  includes: LensInclude[] | null;
  /** Advice about the template. */
  warnings: string[];
}

export interface VersionSummary {
  id: string;
  semver: string;
  changelog: string;
  createdAt: string;
}

export interface VersionDetail extends VersionSummary {
  lensId: string;
  templateBody: string;
  messages: LensMessage[] | null;
  params: LensParam[];
  settings: LensSettings | null;
  includes: LensInclude[] | null;
}

export interface LensPage {
  items: LensSummary[];
  /** The number of matches that the caller may see; a search counts up to 1,000. */
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}
