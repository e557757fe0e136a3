/** The tables of the floor programs, beside ours on the same server. */
export const floorTables = `
create table floor_jobs (id uuid primary key, body jsonb not null, done_at timestamptz, last_sequence integer not null default 0);
create table floor_events (job_id uuid not null, sequence integer not null, event jsonb not null, primary key (job_id, sequence))`;

export const floorQueue = 'floor';
export const floorJobs = 'floor-jobs';
export const floorPrefix = '{floor}';
export const floorConcurrency = 60;
/** Of each worker; PostgreSQL has 200 for all. */
export const floorConnections = 20;
export const floorChannel = (id: string): string => `floor:${id}`;
