import { type Context, newId } from '@lensforge/core';
import { claimRuns, endRun, finishRuns, finishWithSettlement } from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';

export interface OpenRun {
  id: string;
  kind: string;
  versionId: string;
  /** The parameter `Word` of a lens run. */
  word: string;
  /** The prompt of a judge. */
  prompt: string;
}

/** Runs that are under way: those of an experiment, or of judges that a scorer asks. */
export const openRuns = ({ db }: Context, causeId: string): Promise<OpenRun[]> =>
  db.query(
    `select id, kind, lens_version_id as "versionId", params ->> 'Word' as word, params ->> 'prompt' as prompt from runs
      where coalesce(cause ->> 'experimentId', cause ->> 'scorerId') = $1 and status in ('queued', 'running') order by id`,
    [causeId],
  );

/** Ends the runs of an experiment, or of the judges of a scorer, that are under way with these answers; null fails. Returns their number. */
export async function answerRuns(
  platform: Context,
  causeId: string,
  toAnswer: (run: OpenRun) => string | null = () => 'ok',
  cost = 0,
): Promise<number> {
  const open = await openRuns(platform, causeId);
  for (const each of open) {
    const output = toAnswer(each);
    const [run] = await claimRuns(platform, [{ runId: each.id, generation: 0, worker: 'spec', leaseMs: 60_000 }]);
    if (!run) continue;
    if (output === null) {
      await endRun(platform, { runId: each.id, from: 'running', status: 'failed', reason: 'the model is broken' });
      continue;
    }
    const artifact = {
      id: newId(),
      kind: 'text',
      contentText: output,
      contentJson: null,
      isPrimaryOutput: true,
    } as const;
    const isPaid = run.hold > 0;
    const finish = aFinish(run, { artifacts: [artifact], cost: isPaid ? cost : 0 });
    await (isPaid ? finishWithSettlement(platform, finish) : finishRuns(platform, [finish]));
  }
  return open.length;
}
