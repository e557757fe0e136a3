import type { Migration } from '../migration.js';

const storedInPrompt = (run: string): string =>
  `${run}.kind = 'prompt' and ${run}.cause ->> 'kind' = 'battle' and not ${run}.params ? 'instructedBy'
     and ${run}.params ->> 'prompt' like '<instructions>%'`;

/**
 * Removes the instructions of AI lensers that earlier releases stored in the runs of battles, which belong to the creator. While
 * processes of such a release run, a trigger keeps them out of new rows: the run then names the AI lenser as today.
 */
export const storedInstructions: Migration = {
  version: 21,
  name: 'stored-instructions',
  sql: `
-- The AI lenser of a contender, and whether its owner lets the account run it. An owner who entered it has agreed.
create function answering_lenser(contender uuid, caller uuid, out handle text, out usable_by text, out archived boolean,
                                 out allowed boolean) returns setof record language sql stable as
  $$ select a.handle, l.usable_by, l.archived_at is not null,
            coalesce(c.entered_by in (a.owner_account_id, a.id), false) or may_use_ai_lenser(a.id, caller)
       from battle_contenders c join accounts a on a.id = c.lenser_account_id join ai_lensers l on l.account_id = a.id
      where c.id = contender $$;

-- The parameters of a run with the task alone as its prompt; a worker adds the instructions of an agent.
create function params_without_instructions(params jsonb, cause jsonb) returns jsonb language sql stable as
  $$ select params || jsonb_build_object('prompt', coalesce(b.task_prompt, ''))
            || case when c.contender_type = 'ai_agent' then jsonb_build_object('instructedBy', c.lenser_account_id) else '{}' end
       from (select) one left join battle_contenders c on c.id = (cause ->> 'contenderId')::uuid
            left join battles b on b.id = c.battle_id $$;

create function store_no_instructions() returns trigger language plpgsql as
  $$ begin
       new.params := params_without_instructions(new.params, new.cause);
       return new;
     end $$;
create trigger runs_store_no_instructions before insert on runs for each row
  when (${storedInPrompt('new')}) execute function store_no_instructions();

-- Removes the instructions from the answers of the next agents after a contender, and returns the last of these contenders.
-- A provider that repeats its prompt has copied them to outputs, entries and events, too.
create function remove_stored_instructions(after uuid) returns uuid language plpgsql as
  $$ declare
       agents uuid[];
       stored record;
       whole text;
       copied text;
       said text;
       removed constant text := '[instructions removed]';
     begin
       select array_agg(id order by id) into agents
         from (select id from battle_contenders where contender_type = 'ai_agent' and (after is null or id > after)
                order by id limit 200) page;
       for stored in
         with recursive tries as (
           select answer_run_id as id from battle_contenders where id = any (agents) and answer_run_id is not null
           union all
           select c.id from tries t join runs c on c.parent_run_id = t.id
         )
         select r.id, r.account_id, r.params, r.cause, r.completed_at, params_without_instructions(r.params, r.cause) as cleaned
           from tries t join runs r on r.id = t.id
          where ${storedInPrompt('r')} order by r.id for update of r
       loop
         update runs set params = stored.cleaned where id = stored.id;
         whole := stored.params ->> 'prompt';
         copied := E'\\n</instructions>\\n\\nFollow these instructions in your answer to the task below. '
           || E'Answer with the text of your entry alone.\\n\\n<task>\\n' || (stored.cleaned ->> 'prompt') || E'\\n</task>';
         copied := case when right(whole, length(copied)) = copied
                        then left(whole, -length(copied)) || E'\\n</instructions>' else whole end;
         update run_artifacts set content_text = replace(content_text, copied, removed)
          where run_id = stored.id and strpos(content_text, copied) > 0;
         update battle_submissions set content_text = replace(content_text, copied, removed)
          where contender_id = (stored.cause ->> 'contenderId')::uuid and strpos(content_text, copied) > 0;
         select string_agg(payload ->> 'text', '' order by sequence) into said
           from run_events where run_id = stored.id and type = 'node.output.delta';
         if strpos(said, copied) > 0 then
           -- A copy may be spread over events, so that the first one gets the whole text.
           update run_events e
              set payload = e.payload || jsonb_build_object('text', case when e.sequence = f.sequence
                                                                         then replace(said, copied, removed) else '' end)
             from (select min(sequence) as sequence from run_events
                    where run_id = stored.id and type = 'node.output.delta') f
            where e.run_id = stored.id and e.type = 'node.output.delta';
         end if;
         update webhook_events
            set body = convert_to(replace(convert_from(body, 'UTF8'), trim('"' from to_json(copied)::text), removed), 'UTF8')
          where account_id = stored.account_id and type = 'run.completed'
            and occurred_at between stored.completed_at - interval '1 minute' and stored.completed_at + interval '1 minute'
            and strpos(convert_from(body, 'UTF8'), trim('"' from to_json(copied)::text)) > 0;
       end loop;
       return agents[array_upper(agents, 1)];
     end $$;
`,
  batches: 'select remove_stored_instructions($1) as position',
};
