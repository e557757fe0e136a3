import type { Context } from '@lensforge/core';

/** Moves a battle on after the end of one of its runs; a repeated call has no further effect. */
export function advanceBattle(_ctx: Context, _battleId: string): Promise<void> {
  return Promise.resolve();
}
