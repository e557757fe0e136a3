import type { shapes } from '@lensforge/sdk';
import { formatJson } from '../ui/format-json';

/** The primary output of a run as text; undefined before it exists. */
export function findPrimaryOutput({ artifacts }: Pick<shapes.PlatformRunStatus, 'artifacts'>): string | undefined {
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  return primary && formatJson(primary.contentText ?? primary.contentJson);
}
