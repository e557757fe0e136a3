import type { shapes } from '@lensforge/sdk';
import { type Column, table } from '../layout.js';

export interface Report {
  experiment: shapes.Experiment;
  /** The cells that are shown: those that got worse, or failed where there is no baseline. */
  cells: readonly shapes.ExperimentCell[];
  /** True when there are more of them. */
  hasMore: boolean;
  /** The page of the experiment in the console. */
  url: string;
}

interface Row {
  arm: shapes.ArmResult;
  scorer: shapes.ScorerResult;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
const points = (share: number): string => `${share > 0 ? '+' : ''}${Math.round(share * 1000) / 10}`;

const difference = ({ difference: found }: shapes.ScorerResult): string =>
  found ? `${points(found.mean)} [${points(found.low)}, ${points(found.high)}]` : '';

const columns: readonly Column<Row>[] = [
  ['arm', ({ arm }) => arm.arm],
  ['scorer', ({ scorer }) => scorer.scorer],
  ['score', ({ scorer: { score } }) => `${percent(score.mean)} [${percent(score.low)}, ${percent(score.high)}]`],
  ['passed', ({ scorer }) => percent(scorer.passRate)],
  ['difference', ({ scorer }) => difference(scorer)],
  ['failed', ({ arm }) => String(arm.failed)],
  ['credits', ({ arm }) => String(arm.credits)],
  ['p50 / p95 ms', ({ arm }) => `${arm.latencyP50Ms ?? '-'} / ${arm.latencyP95Ms ?? '-'}`],
];

const rowsOf = ({ results }: shapes.Experiment): Row[] =>
  (results ?? []).flatMap((arm) => arm.scorers.map((scorer) => ({ arm, scorer })));

const titleOfCells = ({ baseline }: shapes.Experiment): string =>
  baseline === null ? 'Answers that do not pass' : 'Cases that got worse';

const why = ({ error, scores }: shapes.ExperimentCell): string =>
  error ??
  scores
    .filter(({ pass }) => !pass)
    .map(({ scorer, reason }) => `${scorer}: ${reason}`)
    .join('; ');

const describeRule = ({ scorer, ...rule }: shapes.GateRule): string =>
  `${scorer === undefined ? '' : `${scorer} `}${JSON.stringify(rule).replaceAll(/[{}"]/g, '').replaceAll(',', ', ').replaceAll(':', ' ')}`;

/** The report for a terminal. */
export function writeText({ experiment, cells, hasMore, url }: Report): string {
  const parts = [table(columns, rowsOf(experiment), 80)];
  if (cells.length > 0) {
    const lines = cells.map((cell) => `  ${cell.key} (${cell.arm}): ${oneLine(why(cell))}`);
    parts.push([`${titleOfCells(experiment)}:`, ...lines, ...(hasMore ? ['  … and more'] : [])].join('\n'));
  }
  if (experiment.outcome) {
    const lines = experiment.outcome.rules.map(
      ({ arm, rule, result, reason }) => `  ${result}  ${arm}: ${describeRule(rule)}: ${reason}`,
    );
    parts.push([`Gate: ${experiment.outcome.result}`, ...lines].join('\n'));
  }
  return [...parts, url].join('\n\n');
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
};

/** The report as Markdown for a comment, with a mark by which it is found again. */
export function writeMarkdown({ experiment, cells, hasMore, url }: Report): string {
  const { outcome, status, name, cells: all } = experiment;
  const verdict = outcome ? `gate **${outcome.result}**` : `**${status}**`;
  const rows = rowsOf(experiment).map(
    (row) => `| ${columns.map(([, cell]) => escape(String(cell(row)))).join(' | ')} |`,
  );
  return [
    '<!-- lensforge eval -->',
    `### ${escape(name)}: ${verdict}`,
    '',
    `| ${columns.map(([heading]) => heading).join(' | ')} |`,
    `|${columns.map(() => ' --- |').join('')}`,
    ...rows,
    ...(outcome
      ? [
          '',
          ...outcome.rules.map(
            ({ arm, rule, result, reason }) => `- ${result}: ${escape(`${arm}: ${describeRule(rule)}: ${reason}`)}`,
          ),
        ]
      : []),
    ...(cells.length > 0
      ? [
          '',
          `${titleOfCells(experiment)}:`,
          '',
          ...cells.map((cell) => `- \`${cell.key.replaceAll('`', "'")}\`: ${escape(oneLine(why(cell)))}`),
        ]
      : []),
    ...(hasMore ? ['- … and more'] : []),
    '',
    `${all} answers, [one by one](${url})`,
    '',
  ].join('\n');
}

/** A text without the marks of Markdown and HTML. */
const escape = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>|#]/g, '\\$&').replaceAll(/\s+/g, ' ');
