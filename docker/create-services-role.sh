#!/bin/sh
# Runs once, when the data folder is empty.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v password="$(cat /run/secrets/services-password)" <<'SQL'
create role lensforge_services login password :'password';
SQL
