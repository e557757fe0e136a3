const agents = `select id from accounts where owner_account_id = $1`;
const people = `select id from users where account_id = $1`;
const ownLenses = 'select id from lenses where account_id = $1 and deleted_at is not null';
const drafts = `select id from battles where creator_account_id = $1 and status in ('draft', 'open')`;

/**
 * Statements that delete or blank the texts of a closed account ($1) in all tables but those of runs. Rows that objects of
 * others refer to stay, without names. Each may be repeated.
 */
export const eraseRecords: readonly string[] = [
  `delete from agent_events where agent_id in (${agents})`,
  `delete from agent_tools where agent_id in (${agents})`,
  `update agent_actions set metadata = '{}', output = null, reason = null, idempotency_key = null
    where agent_id in (${agents})`,
  `update ai_lensers set instructions = '', policy = policy || '{"actions": {}}' where account_id in (${agents})`,
  `update accounts set handle = 'closed-' || right(replace(id::text, '-', ''), 12), display_name = 'Closed AI lenser',
          description = '' where owner_account_id = $1`,
  `update api_tokens set label = '' where account_id = $1 or created_by = $1`,
  `update connectors set name = '' where account_id = $1`,
  `delete from device_grants where user_id in (${people})`,
  `update byok_keys set label = '', last4 = '', base_url = null, test_message = null where account_id = $1`,
  `delete from webhook_endpoints where account_id = $1`,
  `delete from webhook_events where account_id = $1`,
  `delete from webhook_listeners where account_id = $1`,
  `delete from incoming_webhooks where account_id = $1`,
  `delete from idempotency_keys where account_id = $1 or account_id in (${agents})`,
  `delete from concurrency_claims where account_id = $1`,
  `delete from run_operations where account_id = $1`,
  `delete from run_stream_runs where stream_id in (select id from run_streams where account_id = $1)`,
  `delete from run_streams where account_id = $1`,
  `delete from partner_bundles where account_id = $1`,
  `update sandbox_claims set note = '', key = null where payer_id in (select id from sandbox_accounts where reference = $1)`,
  `update sandbox_accounts set handle = 'closed-' || reference where reference = $1`,
  `delete from lens_labels where lens_id in (${ownLenses})`,
  `delete from label_watches where account_id = $1`,
  `delete from label_proposals where account_id = $1`,
  `update label_proposals set comment = null where decided_by = $1`,
  `delete from lens_label_moves where lens_id in (${ownLenses})`,
  `delete from workflow_labels where workflow_id in (select id from workflows where account_id = $1)`,
  `delete from workflow_label_moves where workflow_id in (select id from workflows where account_id = $1)`,
  `update battles set title = 'Erased battle', task_prompt = '', rubric = null, checks = null where id in (${drafts})`,
  `update battle_contenders set display_name = 'Closed account' where owner_account_id = $1`,
  `update battle_votes set comment = null where account_id = $1`,
  `update leaderboard_entries set display_name = 'Closed account' where kind = 'lenser' and (contender = $1 or contender in (${agents}))`,
  `delete from thread_message_versions where message_id in (select id from thread_messages where author_account_id = $1)`,
  `update thread_events e set payload = '{}' from threads t
    where t.id = e.thread_id and t.account_id = $1 and t.title = 'Erased thread'`,
  `select erase_audit_details($1)`,
  // Words that no lens has find nothing. The texts of the account are gone by now.
  `delete from search_terms where term in (
     select t.term from search_terms t
       left join lateral unnest(to_tsvector('english', t.term)) w on true
       left join ts_stat('select search_vector from lenses where deleted_at is null') s on s.word = w.lexeme
      group by t.term having bool_and(s.word is null)) and $1::uuid is not null`,
];
