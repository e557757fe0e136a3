/** The catalogue of models. Prices are credits for 1,000 tokens; a credit is a thousandth of a US dollar, rounded up. */
export const models = `
-- Models with a byok_key_id are those of a user's own endpoint: only the owner of the key can use them.
create table models (
  id uuid primary key,
  key text not null,
  provider_key text not null,
  display_name text not null,
  credits_per_1k_input integer not null default 0 check (credits_per_1k_input >= 0),
  credits_per_1k_output integer not null default 0 check (credits_per_1k_output >= 0),
  context_tokens integer check (context_tokens > 0),
  max_output_tokens integer not null default 4096 check (max_output_tokens > 0),
  capabilities text[] not null default '{stream}'
    check (capabilities <@ '{stream,images,image_urls,json,tools,sampling}'),
  fallbacks text[] not null default '{}',
  enabled boolean not null default true,
  is_default boolean not null default false,
  default_rank integer check (default_rank > 0),
  byok_key_id uuid references byok_keys (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint models_of_keys_are_not_offered check (byok_key_id is null or not (enabled or is_default))
);
create unique index models_key on models (provider_key, key) where byok_key_id is null;
create unique index models_of_key on models (byok_key_id, key) where byok_key_id is not null;
create unique index models_default on models (is_default) where is_default;

create table providers (
  key text primary key,
  seen_at timestamptz not null default now()
);

insert into models (id, provider_key, key, display_name, is_default, context_tokens, capabilities)
  values ('019a0000-0000-7000-8000-000000000001', 'offline', 'echo', 'Offline echo', true, 250000,
          '{stream,images,json,tools,sampling}');
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
   '{stream,images,json,tools,sampling}', null);
`;
