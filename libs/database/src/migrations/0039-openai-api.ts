import type { Migration } from '../migration.js';

/** Models that make embeddings, and prompt runs of programs that use the form of another API. */
export const openAiApi: Migration = {
  version: 39,
  name: 'openai-api',
  sql: `
alter table models
  drop constraint models_capabilities_check,
  add constraint models_capabilities_check
    check (capabilities <@ '{stream,images,image_urls,json,tools,sampling,embeddings}');

insert into models (id, provider_key, key, display_name, input_rate, credits_per_1k_input, context_tokens, max_output_tokens,
                    capabilities, default_rank) values
  ('019a0000-0000-7000-8000-000000000002', 'offline', 'words', 'Offline embeddings', 0, 0, 250000, 1, '{embeddings}', null),
  ('019a0000-0000-7000-8000-000000000015', 'openai', 'text-embedding-3-small', 'Text embedding 3 small', 0.02, 0, 8192, 1,
   '{embeddings}', 1100),
  ('019a0000-0000-7000-8000-000000000016', 'openai', 'text-embedding-3-large', 'Text embedding 3 large', 0.13, 0, 8192, 1,
   '{embeddings}', null),
  ('019a0000-0000-7000-8000-000000000035', 'google', 'gemini-embedding-001', 'Gemini embedding', 0.15, 0, 2048, 1,
   '{embeddings}', 1300)
  on conflict do nothing;

-- With the kind whose scopes apply: a program that calls models in the form of another API needs those of lenses.
create or replace function run_beginning(wanted uuid, after int, most int, out head json, out events json)
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  select json_build_object('id', r.id, 'accountId', r.account_id, 'kind', r.kind,
                           'scopeKind', case when r.kind = 'prompt' and r.cause ? 'openai' then 'lens' else r.kind end,
                           'status', r.status, 'lastSequence', r.last_sequence, 'completedAt', iso(r.completed_at))
    into head from runs r where r.id = wanted;
  select coalesce(json_agg(json_build_object('eventType', e.type, 'payload', e.payload, 'occurredAt', iso(e.occurred_at),
                                             'runId', e.run_id, 'sequence', e.sequence) order by e.sequence), '[]')
    into events
    from (select * from run_events where run_id = wanted and sequence > after order by sequence limit most) e;
end $$;`,
};
