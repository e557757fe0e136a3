import type { shapes } from '@lensforge/sdk';
import { textOf } from '../ui/json';

/** The primary output of a run as text; undefined before it exists. */
export function primaryOutputOf({ artifacts }: Pick<shapes.PlatformRunStatus, 'artifacts'>): string | undefined {
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  return primary && textOf(primary.contentText ?? primary.contentJson);
}
