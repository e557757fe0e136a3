import type { Migration } from '../migration.js';

/* Prices are credits for 1,000 tokens; a credit is a thousandth of a US dollar, rounded up. An operator can change them all. */
export const models: Migration = {
  version: 9,
  name: 'models',
  sql: `
alter table models
  add column context_tokens integer check (context_tokens > 0),
  add column capabilities text[] not null default '{stream}'
    check (capabilities <@ '{stream,images,image_urls,json,tools,sampling}'),
  add column fallbacks text[] not null default '{}',
  add column enabled boolean not null default true,
  add column default_rank integer check (default_rank > 0),
  add column updated_at timestamptz not null default now();

update models set context_tokens = 250000, capabilities = '{stream,images,json,tools,sampling}'
 where provider_key = 'offline' and key = 'echo';

insert into models (id, provider_key, key, display_name, credits_per_1k_input, credits_per_1k_output,
                    context_tokens, max_output_tokens, capabilities, default_rank) values
  ('019a0000-0000-7000-8000-000000000011', 'openai', 'gpt-6-luna', 'GPT-6 Luna', 1, 1, 1050000, 128000,
   '{stream,images,image_urls,json,tools}', 100),
  ('019a0000-0000-7000-8000-000000000012', 'openai', 'gpt-6-sol', 'GPT-6 Sol', 2, 10, 1050000, 128000,
   '{stream,images,image_urls,json,tools}', null),
  ('019a0000-0000-7000-8000-000000000013', 'openai', 'gpt-5.4-mini', 'GPT-5.4 mini', 1, 5, 1000000, 128000,
   '{stream,images,image_urls,json,tools}', null),
  ('019a0000-0000-7000-8000-000000000014', 'openai', 'gpt-4.1-mini', 'GPT-4.1 mini', 1, 2, 1047576, 32768,
   '{stream,images,image_urls,json,tools,sampling}', null),
  ('019a0000-0000-7000-8000-000000000021', 'anthropic', 'claude-haiku-5-5', 'Claude Haiku 5.5', 1, 1, 1000000, 128000,
   '{stream,images,image_urls,json,tools}', 200),
  ('019a0000-0000-7000-8000-000000000022', 'anthropic', 'claude-sonnet-5-5', 'Claude Sonnet 5.5', 2, 10, 1000000, 128000,
   '{stream,images,image_urls,json,tools}', null),
  ('019a0000-0000-7000-8000-000000000023', 'anthropic', 'claude-opus-5-5', 'Claude Opus 5.5', 4, 20, 1000000, 128000,
   '{stream,images,image_urls,json,tools}', null),
  ('019a0000-0000-7000-8000-000000000024', 'anthropic', 'claude-haiku-4-5', 'Claude Haiku 4.5', 1, 5, 200000, 64000,
   '{stream,images,image_urls,json,tools,sampling}', null),
  ('019a0000-0000-7000-8000-000000000031', 'google', 'gemini-2.5-flash', 'Gemini 2.5 Flash', 1, 3, 1048576, 65536,
   '{stream,images,json,tools,sampling}', 300),
  ('019a0000-0000-7000-8000-000000000032', 'google', 'gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', 1, 1, 1048576, 65536,
   '{stream,images,json,tools,sampling}', null),
  ('019a0000-0000-7000-8000-000000000033', 'google', 'gemini-2.5-pro', 'Gemini 2.5 Pro', 3, 15, 1048576, 65536,
   '{stream,images,json,tools,sampling}', null),
  ('019a0000-0000-7000-8000-000000000034', 'google', 'gemini-3.5-flash', 'Gemini 3.5 Flash', 2, 9, 1048576, 65536,
   '{stream,images,json,tools,sampling}', null)
on conflict (provider_key, key) do nothing;

create table providers (
  key text primary key,
  seen_at timestamptz not null default now()
);

alter table runs
  add column output_schema jsonb,
  add column sampling jsonb,
  add column answered_model_id uuid;
`,
};
