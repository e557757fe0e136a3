import type { Recording, RecordingRemoved } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  decodeCursor,
  encodeCursor,
  newId,
  notFound,
  requireScope,
  toPage,
} from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { keyOf } from './outside-call.js';
import { type RecordedCall, readRecordingFile, recordingHeader, writeRecordingLine } from './recording-file.js';
import { StoredRecording } from './recording.entity.js';

/** Creates an empty recording of the caller. */
export async function createRecording(ctx: Context, name: string): Promise<string> {
  const id = newId();
  await ctx.db.insert(StoredRecording, {
    id,
    accountId: ctx.actor.accountId,
    name,
    isCache: false,
    createdAt: ctx.now(),
  });
  return id;
}

/** Stores a file as a recording of the caller. */
export async function importRecording(
  ctx: Context,
  { name, content }: { name: string; content: string },
): Promise<Recording> {
  requireScope(ctx, 'lenses:write');
  const calls = readRecordingFile(content);
  const rows = calls.map((call) => ({ ...call, key: keyOf(call) }));
  return inTransaction(ctx, async (ctx) => {
    const id = await createRecording(ctx, name);
    await ctx.db.query(
      `insert into recorded_calls (recording_id, key, kind, place, repetition, request, response)
       select $1, key, kind, place, repetition, request, response
         from json_to_recordset($2::json) as x(key text, kind text, place text, repetition int, request json, response json)
       on conflict do nothing`,
      [id, toJsonb(rows)],
    );
    return readRecording(ctx, id);
  });
}

/** A recording of the caller. */
export async function readRecording(ctx: Context, recordingId: string): Promise<Recording> {
  const { id, name, createdAt } = await readableRecording(ctx, recordingId);
  return { id, name, calls: await countCalls(ctx, id), createdAt: createdAt.toISOString() };
}

/** A recording of the caller; NOT_FOUND for those of others and for the cache. */
export async function readableRecording(ctx: Context, id: string): Promise<StoredRecording> {
  requireScope(ctx, 'lenses:read');
  const found = await ctx.db.findOneBy(StoredRecording, { id, accountId: ctx.actor.accountId, isCache: false });
  if (!found) throw notFound('recording', id);
  return found;
}

async function countCalls({ db }: Context, recordingId: string): Promise<number> {
  const [{ calls }] = await db.query<[{ calls: number }]>(
    'select count(*)::int as calls from recorded_calls where recording_id = $1',
    [recordingId],
  );
  return calls;
}

/** Lists the recordings of the caller, the newest first. */
export async function listRecordings(ctx: Context, page: PageRequest): Promise<Page<Recording>> {
  requireScope(ctx, 'lenses:read');
  const before = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
  const rows = await ctx.db.query<Recording[]>(
    `select r.id, r.name, iso(r.created_at) as "createdAt",
            (select count(*)::int from recorded_calls c where c.recording_id = r.id) as calls
       from recordings r
      where r.account_id = $1 and not r.is_cache and ($2::uuid is null or r.id < $2)
      order by r.id desc limit $3 offset $4`,
    [ctx.actor.accountId, before, page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows, page, ({ id, createdAt: at }) => encodeCursor({ at, id }));
}

/** The lines of a recording as a file, in an order that does not depend on when calls were made. */
export async function exportRecording(ctx: Context, recordingId: string): Promise<AsyncGenerator<string>> {
  const { id } = await readableRecording(ctx, recordingId);
  return linesOf(ctx, id);
}

/** The calls of a recording that the caller may read. */
export async function* everyCall(ctx: Context, recordingId: string): AsyncGenerator<object> {
  const { id } = await readableRecording(ctx, recordingId);
  yield* callsOf(ctx, id);
}

const atATime = 200;

async function* linesOf(ctx: Context, recordingId: string): AsyncGenerator<string> {
  yield recordingHeader;
  for await (const call of callsOf(ctx, recordingId)) yield writeRecordingLine(call);
}

async function* callsOf({ db }: Context, recordingId: string): AsyncGenerator<RecordedCall> {
  let last: (RecordedCall & { key: string }) | undefined;
  do {
    const rows: NonNullable<typeof last>[] = await db.query(
      `select kind, place, repetition, key, request, response from recorded_calls
        where recording_id = $1
          and ($2::text is null or (kind, place, repetition, key) > ($2, $3, $4, $5))
        order by kind, place, repetition, key limit $6`,
      [recordingId, last?.kind ?? null, last?.place ?? null, last?.repetition ?? null, last?.key ?? null, atATime],
    );
    for (const { key: _key, ...call } of rows) yield call;
    last = rows.length === atATime ? rows.at(-1) : undefined;
  } while (last);
}

/** Deletes a recording of the caller. */
export async function removeRecording(ctx: Context, recordingId: string): Promise<RecordingRemoved> {
  requireScope(ctx, 'lenses:write');
  const where = { id: recordingId, accountId: ctx.actor.accountId, isCache: false };
  const { affected } = await ctx.db.delete(StoredRecording, where);
  if (affected === 0) throw notFound('recording', recordingId);
  return { recordingId, removed: true };
}

/** Deletes all recordings of the caller, whose account is closed. */
export async function eraseRecordings(ctx: Context): Promise<void> {
  await ctx.db.delete(StoredRecording, { accountId: ctx.actor.accountId });
}

/** The recording with the earlier answers of the caller. */
export async function findCache(ctx: Context): Promise<string> {
  await ctx.db.query(
    `insert into recordings (id, account_id, name, is_cache) values ($1, $2, '', true) on conflict do nothing`,
    [newId(), ctx.actor.accountId],
  );
  const { id } = await ctx.db.findOneByOrFail(StoredRecording, { accountId: ctx.actor.accountId, isCache: true });
  return id;
}

/** The age after which no request may use an answer of the cache, and it is deleted. */
const cacheDays = 30;

/** Deletes answers of caches that are too old to be used. Returns their number. */
export async function deleteExpiredAnswers({ db }: Context, { limit }: { limit: number }): Promise<number> {
  const [, deleted] = await db.query<[unknown, number]>(
    `delete from recorded_calls where (recording_id, key) in (
       select c.recording_id, c.key from recordings r join recorded_calls c on c.recording_id = r.id
        where r.is_cache and c.created_at < now() - ${cacheDays} * interval '1 day' limit $1)`,
    [limit],
  );
  return deleted;
}
