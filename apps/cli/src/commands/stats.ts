import type { shapes } from '@lensforge/sdk';
import type { Command } from '../command.js';
import { type Column, table } from '../layout.js';

const days = 7;

/** The command that compares the runs of a lens, or those of a workflow. */
const statsCommand = (kind: 'lens' | 'workflow'): Command => ({
  name: `${kind} stats`,
  summary: `Compare your runs of a ${kind} by version, label or arm`,
  args: ['id'],
  options: {
    by: { value: 'grouping', oneOf: ['version', 'label', 'arm'], summary: 'version (default), label or arm' },
    from: { value: 'time', summary: `runs accepted since then; the last ${days} days when absent` },
    to: { value: 'time', summary: 'runs accepted before then' },
  },
  async run(session, input) {
    const id = input.arg('id');
    const [from, to] = [input.text('from'), input.text('to')];
    const found = await session.client.runs.getReleaseStatistics(
      {
        ...(kind === 'lens' ? { lensId: id } : { workflowId: id }),
        by: (input.text('by') as shapes.ReleaseStatisticsQuery['by']) ?? 'version',
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      },
      session.call,
    );
    session.show(found, () => (found.groups.length === 0 ? 'No runs have ended' : table(columns, found.groups)));
  },
});

const columns: readonly Column<shapes.ReleaseGroup>[] = [
  ['label', ({ label }) => label ?? ''],
  ['version', ({ version }) => version ?? ''],
  ['runs', ({ runs }) => runs],
  ['failures', ({ failures }) => percentText(failures)],
  ['p50', ({ p50Ms }) => msText(p50Ms)],
  ['p95', ({ p95Ms }) => msText(p95Ms)],
  ['credits', ({ creditsPerRun }) => creditsPerRun.mean.toFixed(1)],
  ['scores', ({ scores }) => scores.map(({ name, mean }) => `${name} ${mean.mean.toFixed(2)}`).join(', ')],
  ['compared', ({ comparison }) => (comparison ? results[comparison.result] : '')],
];

const results: Readonly<Record<shapes.GroupComparison['result'], string>> = {
  more: 'fails more often',
  fewer: 'fails less often',
  alike: 'fails as often',
  too_few_runs: 'too few runs to say',
};

const percent = (share: number): string => (share * 100).toFixed(1);

const percentText = ({ mean, low, high }: shapes.MeanEstimate): string =>
  `${percent(mean)} % (${percent(low)} to ${percent(high)})`;

const msText = (ms: number | null): string => (ms === null ? '' : `${Math.round(ms)} ms`);

export const lensStats = statsCommand('lens');
export const workflowStats = statsCommand('workflow');
