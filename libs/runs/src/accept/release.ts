import type { Context } from '@lensforge/core';
import { hashStickyKey, stickyHashOf } from '@lensforge/releases';
import type { NewRun } from './insert-runs.js';

/** The part of a request that decides about the arm of a label. */
export interface ReleaseRequest {
  stickyKey?: string | undefined;
  /** Its hash, for runs that another run starts or repeats. */
  stickyHash?: string | undefined;
  /** The label and arm of the run that is repeated, whose version is given by its id. */
  kept?: { label: string | null; arm: string | null } | undefined;
}

/** The hash by which a request chooses among arms; its account decides when it has no key. */
export const toStickyHash = (ctx: Context, request: ReleaseRequest): string => stickyHashOf(ctx, givenHash(request));

const givenHash = ({ stickyKey, stickyHash }: ReleaseRequest): string | undefined =>
  stickyHash ?? (stickyKey === undefined ? undefined : hashStickyKey(stickyKey));

/** The columns of a run about the label that decided about its version. */
export function toReleaseColumns(
  request: ReleaseRequest,
  chosen: { label: string | null; arm: string | null },
): Pick<NewRun, 'label' | 'arm' | 'stickyHash'> {
  const { label, arm } = request.kept ?? chosen;
  const stickyHash = givenHash(request);
  return {
    ...(label !== null && { label }),
    ...(arm !== null && { arm }),
    ...(stickyHash !== undefined && { stickyHash }),
  };
}
