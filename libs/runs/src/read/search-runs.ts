import { type RunsQuery, maxSearchedRuns } from '@lensforge/contracts';
import { readableParams } from '../access.js';
import { type RunQuery, type RunSelection, runsMatching } from './run-filter.js';

const members = ['q', 'modelKey', 'minCreditCost', 'minDurationMs', 'scoreName', 'minScore', 'maxScore'] as const;

export type RunSearch = Pick<RunsQuery, (typeof members)[number]>;

/** Of parameters and outputs as they are stored. */
const maxSearchedBytes = 32 * 1024 * 1024;

export const isSearch = (search: RunSearch): boolean => members.some((member) => search[member] !== undefined);

/**
 * Builds the tables of a search, which has no index: `r` holds the runs that were found, and `stop` the last run that was
 * looked at if there are more. It looks at a limited number of runs, so that no search takes long.
 */
export function runsFound(
  columns: string,
  selection: RunSelection,
  search: RunSearch,
  readsPrograms: boolean,
): RunQuery {
  const { sql, parameters } = runsMatching(columns, { ...selection, limit: maxSearchedRuns });
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`;
  const { q, modelKey, minCreditCost, minDurationMs, scoreName, minScore, maxScore } = search;
  const found: string[] = [];
  if (modelKey !== undefined) found.push(`c.model_id in (select id from models where key = ${add(modelKey, 'text')})`);
  if (minCreditCost !== undefined) found.push(`c.credit_cost >= ${add(minCreditCost, 'bigint')}`);
  if (minDurationMs !== undefined) {
    found.push(`c.completed_at - c.started_at >= ${add(minDurationMs, 'int')} * interval '1 ms'`);
  }
  const ofScore = [
    ...(scoreName === undefined ? [] : [`s.name = ${add(scoreName, 'text')}`]),
    ...(minScore === undefined ? [] : [`s.score >= ${add(minScore, 'float8')}`]),
    ...(maxScore === undefined ? [] : [`s.score <= ${add(maxScore, 'float8')}`]),
  ];
  if (ofScore.length > 0)
    found.push(`exists (select from run_scores s where s.run_id = c.id and ${ofScore.join(' and ')})`);
  if (q !== undefined) {
    if (!readsPrograms) found.push(`not coalesce(c.cause ? 'openai', false)`);
    const [ofText, ofJson] = [add(q, 'text'), add(JSON.stringify(q).slice(1, -1), 'text')];
    found.push(`(position(lower(${ofJson}) in lower((${readableParams('c', readsPrograms)})::text)) > 0
      or position(lower(${ofText}) in lower(c.content_text)) > 0
      or position(lower(${ofJson}) in lower(c.content_json::text)) > 0)`);
  }
  const maxRows = add(selection.limit, 'int');
  return {
    sql: `candidates as materialized (${sql}), c as materialized (${q === undefined ? 'select * from candidates' : withTexts}),
      r as materialized (select * from c where ${found.join(' and ')} order by id desc limit ${maxRows}),
      stop as (select (select jsonb_build_object('id', id, 'createdAt', iso(created_at)) from c
                        where (select count(*) from c) = ${maxSearchedRuns}
                           or (select count(*) from c) < (select count(*) from candidates)
                        order by id limit 1) as at)`,
    parameters,
  };
}

/** The candidates with what a text is searched in, up to the limit of bytes. */
const withTexts = `
  select * from (
    select r.*, a.content_text, a.content_json,
           sum(pg_column_size(r.params) + coalesce(pg_column_size(a.content_text), pg_column_size(a.content_json), 0))
             over (order by r.id desc) as bytes
      from candidates r
           left join lateral (select content_text, content_json from run_artifacts a
                               where a.run_id = r.id and a.is_primary_output order by a.id limit 1) a on true) t
   where bytes <= ${maxSearchedBytes}`;
