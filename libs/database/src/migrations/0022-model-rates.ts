import type { Migration } from '../migration.js';

/** The prices that earlier releases had, and the published ones: input, output, cached input, cache write. */
const published: readonly (readonly [model: string, before: readonly [number, number], rates: readonly number[]])[] = [
  ['gpt-6-luna', [1, 1], [0.2, 0.75, 0.02, 0.25]],
  ['gpt-6-sol', [2, 10], [4, 15, 0.4, 5]],
  ['gpt-5.4-mini', [1, 5], [0.75, 4.5, 0.075]],
  ['gpt-4.1-mini', [1, 2], [0.4, 1.6, 0.1]],
  ['claude-haiku-5-5', [1, 1], [1, 1, 0.1, 1.25]],
  ['claude-sonnet-5-5', [2, 10], [2, 10, 0.2, 2.5]],
  ['claude-opus-5-5', [4, 20], [4, 20, 0.2, 5]],
  ['claude-haiku-4-5', [1, 5], [1, 5, 0.1, 1.25]],
  ['gemini-2.5-flash', [1, 3], [0.3, 2.5, 0.03]],
  ['gemini-2.5-flash-lite', [1, 1], [0.1, 0.4, 0.01]],
  ['gemini-2.5-pro', [3, 15], [2.5, 15, 0.25]],
  ['gemini-3.5-flash', [2, 9], [1.5, 9, 0.15]],
];

const rows = published.map(
  ([key, [input, output], [newInput, newOutput, cached, write = 'null']]) =>
    `('${key}', ${input}, ${output}, ${newInput}::float8, ${newOutput}::float8, ${cached}::float8, ${write}::float8)`,
);

/** Rates of models in fractions of credits, with those of cached input and of cache writes; runs count such tokens. */
export const modelRates: Migration = {
  version: 22,
  name: 'model-rates',
  sql: `
alter table models
  add column input_rate float8 not null default 0 check (input_rate >= 0),
  add column output_rate float8 not null default 0 check (output_rate >= 0),
  add column cached_input_rate float8 check (cached_input_rate >= 0),
  add column cache_write_rate float8 check (cache_write_rate >= 0);

-- Processes of earlier releases write the integers alone.
create function set_model_rates() returns trigger language plpgsql as
  $$ begin
       if tg_op = 'INSERT' then
         new.input_rate := greatest(new.input_rate, new.credits_per_1k_input);
         new.output_rate := greatest(new.output_rate, new.credits_per_1k_output);
       elsif (new.credits_per_1k_input, new.credits_per_1k_output)
             is distinct from (old.credits_per_1k_input, old.credits_per_1k_output) then
         new.input_rate := new.credits_per_1k_input;
         new.output_rate := new.credits_per_1k_output;
       end if;
       return new;
     end $$;
create trigger models_set_rates before insert or update on models for each row execute function set_model_rates();

update models set input_rate = credits_per_1k_input, output_rate = credits_per_1k_output;

-- A price that an operator has changed stays.
update models m
   set input_rate = p.input, output_rate = p.output, cached_input_rate = p.cached, cache_write_rate = p.write, updated_at = now()
  from (values ${rows.join(',\n               ')})
       as p(key, old_input, old_output, input, output, cached, write)
 where m.key = p.key and m.byok_key_id is null and m.provider_key in ('openai', 'anthropic', 'google')
   and m.credits_per_1k_input = p.old_input and m.credits_per_1k_output = p.old_output;

-- Counts by kind, which the tokens of the input and the output contain; null where a provider reports none.
alter table runs add column token_details jsonb;
alter table battle_judgements add column token_details jsonb;

create function add_counts(one jsonb, other jsonb) returns jsonb language sql immutable parallel safe as
  $$ select case when one is null then other when other is null then one else (
       select jsonb_object_agg(key, sum) from (
         select key, sum(value::bigint) as sum
           from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) as counts group by key
       ) as sums) end $$;
create aggregate sum_counts(jsonb) (sfunc = add_counts, stype = jsonb, combinefunc = add_counts, parallel = safe);
`,
};
