import type { Context } from '@lensforge/core';
import { addLensUses } from '@lensforge/lenses';
import type { PastRows } from './past-runs.js';

const runColumns = `id uuid, request_id uuid, account_id uuid, kind text, lens_id uuid, lens_version_id uuid, workflow_id uuid,
  workflow_version_id uuid, status text, params jsonb, model_id uuid, funding_source text, metadata jsonb, tags text[],
  attempt int, last_sequence int, deadline_at timestamptz, created_at timestamptz, queued_at timestamptz,
  order_at timestamptz, admitted_at timestamptz, started_at timestamptz, completed_at timestamptz, token_input int,
  token_output int, model_calls int, credit_hold bigint, credit_cost bigint, billing_status text, error_code text,
  error_message text`;

/** The columns of the rows, by table. The others have their defaults. */
const tables = {
  runs: ['runs', runColumns],
  events: ['run_events', 'run_id uuid, sequence int, type text, payload jsonb, occurred_at timestamptz'],
  artifacts: [
    'run_artifacts',
    `id uuid, run_id uuid, kind text, content_text text, content_json jsonb, is_primary_output boolean, visibility text,
     created_at timestamptz`,
  ],
  nodes: [
    'node_results',
    `run_id uuid, node_key text, node_id text, type text, status text, generation int, attempt int, live text[],
     output jsonb, error jsonb, model_calls int, queued_at timestamptz, started_at timestamptz, completed_at timestamptz`,
  ],
  waits: [
    'node_waits',
    `run_id uuid, id uuid, node_key text, kind text, message text, requested_at timestamptz, expires_at timestamptz,
     decision text, answered_by uuid, answered_at timestamptz`,
  ],
  entries: [
    'credit_entries',
    `id uuid, account_id uuid, run_id uuid, kind text, debit text, credit text, amount bigint, created_at timestamptz`,
  ],
} as const;

const namesIn = (columns: string): string[] => columns.split(',').map((column) => column.trim().split(' ')[0] ?? '');

/**
 * Inserts ended runs of the past with their events, artifacts, nodes and ledger entries. No use case accepts a run of
 * yesterday, so these rows are written as workers leave them. Call it in a transaction.
 */
export async function insertPastRuns(ctx: Context, rows: PastRows): Promise<void> {
  const complete: PastRows = {
    ...rows,
    artifacts: rows.artifacts.map((artifact) => ({ ...artifact, visibility: 'private' })),
    nodes: rows.nodes.map((node) => ({ model_calls: 0, ...node })),
  };
  for (const [name, [table, columns]] of Object.entries(tables)) {
    const names = namesIn(columns).join(', ');
    await ctx.db.query(
      `insert into ${table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as x (${columns})`,
      [JSON.stringify(complete[name as keyof PastRows])],
    );
  }
  await ctx.db.query(
    `update credit_accounts c set available = c.available - s.spent
       from (select account_id, sum(amount) as spent from jsonb_to_recordset($1::jsonb) as x (account_id uuid, kind text, amount bigint)
              where kind = 'capture' group by account_id) s
      where c.account_id = s.account_id`,
    [JSON.stringify(rows.entries)],
  );
  const uses = new Map<string, number>();
  for (const { lens_id: lensId } of rows.runs) {
    if (typeof lensId === 'string') uses.set(lensId, (uses.get(lensId) ?? 0) + 1);
  }
  await addLensUses(ctx.db, uses);
}
