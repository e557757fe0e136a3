-- The role of KEDA: it counts work and reads nothing else. Run it as the owner of the tables, after the migrations:
--   psql "$OWNER_URL" -v password="$SCALER_PASSWORD" -f k8s/scaler-role.sql
create role lensforge_scaler login password :'password' connection limit 10;
alter role lensforge_scaler set default_transaction_read_only = on;
alter role lensforge_scaler set statement_timeout = '3s';
alter role lensforge_scaler set random_page_cost = 1.1;
grant select (id, status, admitted_at) on runs to lensforge_scaler;
grant select (run_id, status, queued_at) on node_results to lensforge_scaler;
grant select (state, next_at, lease_until) on webhook_deliveries to lensforge_scaler;
