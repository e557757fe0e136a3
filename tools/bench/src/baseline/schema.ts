/** The tables of the baseline programs, in the database of the platform. */
export const baselineTables = `
create table baseline_jobs (id uuid primary key, body jsonb not null, created_at timestamptz not null default now(), done_at timestamptz, last_sequence integer not null default 0);
create table baseline_events (job_id uuid not null, sequence integer not null, event jsonb not null, primary key (job_id, sequence));
create table baseline_votes (battle_id uuid not null, account_id uuid not null, ranking jsonb not null, created_at timestamptz not null default now(),
                             primary key (battle_id, account_id))`;

export const baselineQueue = 'baseline';
export const baselineJobs = 'baseline-jobs';
export const baselinePrefix = '{baseline}';
export const baselineConcurrency = 60;
/** For each worker; PostgreSQL allows 200 in total. */
export const baselineConnections = 20;
export const baselineChannel = (id: string): string => `baseline:${id}`;
