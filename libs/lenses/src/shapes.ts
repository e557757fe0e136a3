import type { LensStatus, LensVisibility } from './lens.entity.js';
import type { LensParam } from './template.js';

export interface LensAuthor {
  id: string;
  handle: string;
  displayName: string;
}

/** A lens as lists show it. */
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

export interface LabelPlace {
  label: string;
  versionId: string;
  semver: string;
  updatedAt: string;
}

export interface LensDetail extends LensSummary {
  /** Of the newest version. */
  templateBody: string;
  changelog: string;
  /** Null as well when the caller cannot see the lens that this one was forked from. */
  parentLensId: string | null;
  labels: LabelPlace[];
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
  params: LensParam[];
}

export interface LensPage {
  items: LensSummary[];
  /** Of what the caller may see and no more; a search counts up to 1,000. */
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}
