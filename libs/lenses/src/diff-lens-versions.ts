import type { Context } from '@lensforge/core';
import { sandboxRefusal, sandboxTasks } from '@lensforge/sandbox';
import { readableLens } from './access.js';
import { type Bump, type ContractChange, contractChange, higherBump } from './contract.js';
import type { DiffLine } from './diff-lines.js';
import type { templateTasks } from './template-tasks.js';
import { listIncludeChanges } from './include-tags.js';
import { type SettingChange, bumpOfSettings, listSettingChanges } from './lens-settings.js';
import { readLensVersion } from './version-reads.js';

export interface VersionDiff {
  lensId: string;
  from: { id: string; semver: string };
  to: { id: string; semver: string };
  params: Omit<ContractChange, 'bump'>;
  settings: SettingChange[];
  /** The bump that the changes require; `none` without any. */
  bump: Bump | 'none';
  lines: DiffLine[];
}

export interface DiffInput {
  lensId: string;
  /** Id, number or label. */
  from: string;
  /** The newest version when absent. */
  to?: string | undefined;
}

/** The changed lines and parameters between two versions of a lens. */
export async function diffLensVersions(ctx: Context, { lensId, from, to }: DiffInput): Promise<VersionDiff> {
  const lens = await readableLens(ctx, lensId);
  const [before, after] = await Promise.all([readLensVersion(ctx.db, lens, from), readLensVersion(ctx.db, lens, to)]);
  const { bump, ...params } = contractChange(before.params, after.params);
  const settings = [
    ...listSettingChanges(before.settings, after.settings),
    ...listIncludeChanges(before.includes, after.includes),
  ];
  const isSame = before.templateBody === after.templateBody && settings.length === 0;
  return {
    lensId: lens.id,
    from: { id: before.id, semver: before.semver },
    to: { id: after.id, semver: after.semver },
    params,
    settings,
    bump: isSame ? 'none' : higherBump(bump, bumpOfSettings(before, after)),
    lines: await diff(ctx, before.templateBody, after.templateBody),
  };
}

const maxDiffBytes = 4_194_304;
const run = sandboxTasks<typeof templateTasks>(import.meta.dirname, 'template-tasks.js');

async function diff(ctx: Context, before: string, after: string): Promise<DiffLine[]> {
  try {
    return await run('diffLines', { before, after }, { account: ctx.actor.accountId, outputBytes: maxDiffBytes });
  } catch (reason) {
    throw sandboxRefusal(reason, 'The difference of these versions');
  }
}
