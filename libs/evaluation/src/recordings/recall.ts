import type { CallPolicy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { describeMiss } from './nearest-call.js';
import { type OutsideCall, keyOf, withoutSecretsOfCall } from './outside-call.js';

/** A call as a run makes it, before its repetition is known and its secrets are removed. */
export type CallOrder = Omit<OutsideCall, 'repetition'>;

/** The request that has paid for an answer, and what it has used. */
export interface Receipt {
  /** The idempotency key of the request. */
  madeBy: string;
  usage: unknown;
}

/** An answer that a recording has. */
export interface Recalled {
  response: unknown;
  receipt: Receipt | null;
  recordedAt: Date;
}

const toCall = ({ request, ...order }: CallOrder, { repetition }: CallPolicy): OutsideCall => ({
  ...order,
  repetition,
  request: withoutSecretsOfCall(request) as OutsideCall['request'],
});

/** The recorded answer to a call; undefined without one, and for one that is too old. */
export async function recallCall(ctx: Context, policy: CallPolicy, order: CallOrder): Promise<Recalled | undefined> {
  const [found] = await ctx.db.query<Recalled[]>(
    `select response, receipt, created_at as "recordedAt" from recorded_calls
      where recording_id = $1 and key = $2 and ($3::float8 is null or created_at > now() - $3 * interval '1 ms')`,
    [policy.recordingId, keyOf(toCall(order, policy)), policy.maxAgeMs ?? null],
  );
  return found;
}

const maxCallLength = 2_000_000;

/**
 * Keeps the answer to a call, without secrets, and returns what is kept: of two answers to the same call the first one. An
 * answer that is too large is returned as it is.
 */
export async function recordCall(
  ctx: Context,
  policy: CallPolicy,
  order: CallOrder,
  { response, receipt }: { response: unknown; receipt?: Receipt | undefined },
): Promise<unknown> {
  const call = toCall(order, policy);
  const { kind, place, repetition, request } = call;
  const [asked, kept] = [toJsonb(request), toJsonb(withoutSecretsOfCall(response))];
  if (asked.length + kept.length > maxCallLength) return response;
  const replaces =
    policy.mode === 'read'
      ? 'response = excluded.response, receipt = excluded.receipt, created_at = now()'
      : 'response = recorded_calls.response';
  const [row] = await ctx.db.query<{ response: unknown }[]>(
    `insert into recorded_calls (recording_id, key, kind, place, repetition, request, response, receipt)
     select id, $2, $3, $4, $5, $6, $7, $8 from recordings where id = $1
     on conflict (recording_id, key) do update set ${replaces}
     returning response`,
    [policy.recordingId, keyOf(call), kind, place, repetition, asked, kept, receipt ? toJsonb(receipt) : null],
  );
  return row ? row.response : response;
}

/** Calls of a recording that are looked at for the nearest one, and the characters that are compared at most. */
const looked = 2000;
const comparedCharacters = 20_000_000;
const mostCompared = 200;

/** Why a recording has no answer to a call: the nearest recorded call and the first difference. */
export async function explainMiss(ctx: Context, policy: CallPolicy, order: CallOrder): Promise<string> {
  const { kind, place, request } = toCall(order, policy);
  const { length } = JSON.stringify(request);
  const compared = Math.min(mostCompared, Math.ceil(comparedCharacters / (length + 1000)));
  const recorded = await ctx.db.query<{ request: OutsideCall['request'] }[]>(
    `select request
       from (select place, request, key, octet_length(request::text) as size from recorded_calls
              where recording_id = $1 and kind = $2 order by key limit ${looked}) c
      where size <= $4 * 2 + 10000
      order by place <> $3, abs(size - $4), key limit $5`,
    [policy.recordingId, kind, place, length, compared],
  );
  const why = describeMiss(
    request,
    recorded.map((each) => each.request),
  );
  return `This call is not in the recording: ${why}. Record it again, or undo the change`;
}
