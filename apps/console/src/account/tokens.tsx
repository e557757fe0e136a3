import type { shapes } from '@lensforge/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Empty } from '../ui/states';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { Connectors } from './connectors';
import { NewToken } from './new-token';
import { kindNames, parseLimit, describeScopes } from './token-kinds';
import { DataTable } from '../ui/data-table';

/** The tokens of the account and its communities. Those that are revoked or expired are left out. */
export function Tokens() {
  const { client } = useConsole();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['tokens'] });
  const tokens = usePaged(['tokens'], (cursor) => client.tokens.list({ limit: 100, cursor }));
  const then = (act: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await act();
    await reload();
  };
  const isValid = ({ revokedAt, expiresAt }: shapes.TokenSummary): boolean =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
  return (
    <>
      <NewToken />
      <div className="row revoke-all">
        {(['mcp', ...kindNames] as const).map((kind) => (
          <ConfirmedAction
            key={kind}
            question={`${accountTexts.revokeAllQuestion} ${accountTexts.kinds[kind]}`}
            onAct={then(() => client.tokens.revokeAll({ kind }))}
          >
            {accountTexts.revokeAll} {accountTexts.kinds[kind]}
          </ConfirmedAction>
        ))}
      </div>
      <PagedList paged={tokens} none={accountTexts.noTokens}>
        {(items) =>
          items.some(isValid) ? (
            <DataTable
              items={items.filter(isValid)}
              getKey={({ id }) => id}
              columns={[
                {
                  name: accountTexts.label,
                  show: ({ label, kind, prefix }) => (
                    <>
                      {label}
                      <div className="quiet">
                        {accountTexts.kinds[kind]} <code>{prefix}…</code>
                      </div>
                    </>
                  ),
                },
                {
                  name: accountTexts.scopes,
                  show: ({ scopes }) => (
                    <details>
                      <summary>{accountTexts.scopeCount(scopes.length)}</summary>
                      <p className="token-scopes">{describeScopes(scopes)}</p>
                    </details>
                  ),
                },
                { name: accountTexts.lastUsed, isNamed: true, show: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
                { name: accountTexts.expires, isNamed: true, show: ({ expiresAt }) => <Time at={expiresAt} /> },
                { name: accountTexts.creditLimit, isNamed: true, show: (token) => <Limit token={token} /> },
                {
                  name: texts.actions,
                  show: ({ id, label }) => (
                    <ConfirmedAction
                      question={`${accountTexts.revokeQuestion} ${label}`}
                      onAct={then(() => client.tokens.revoke(id))}
                    >
                      {accountTexts.revoke}
                    </ConfirmedAction>
                  ),
                },
              ]}
            />
          ) : (
            <Empty title={accountTexts.noTokens} />
          )
        }
      </PagedList>
      <h2>{accountTexts.connectors}</h2>
      <p className="quiet">{accountTexts.connectorsHint}</p>
      <Connectors />
    </>
  );
}

/** The credit limit of a token, which can be changed or removed at any time. */
function Limit({ token: { id, label, creditLimit, creditPeriod } }: { token: shapes.TokenSummary }) {
  const { client } = useConsole();
  const queries = useQueryClient();
  const set = async (values: FormData): Promise<void> => {
    const credits = parseLimit(readField(values, 'credits')) ?? null;
    await client.tokens.limit(id, {
      creditLimit: credits,
      creditPeriod: readField(values, 'period') === 'total' ? 'total' : 'month',
    });
    await queries.invalidateQueries({ queryKey: ['tokens'] });
  };
  return (
    <details>
      <summary>
        {creditLimit === null ? accountTexts.noLimit : `${creditLimit} ${accountTexts.periods[creditPeriod]}`}
      </summary>
      <Form onSend={set} action={texts.save} done={texts.saved}>
        <input
          name="credits"
          type="number"
          min={0}
          defaultValue={creditLimit ?? ''}
          aria-label={`${accountTexts.creditLimit}: ${label}`}
        />
        <select name="period" defaultValue={creditPeriod} aria-label={`${accountTexts.creditPeriod}: ${label}`}>
          <option value="month">{accountTexts.periods.month}</option>
          <option value="total">{accountTexts.periods.total}</option>
        </select>
      </Form>
    </details>
  );
}
