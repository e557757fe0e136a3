import type { shapes } from '@lensforge/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, fieldOf } from '../ui/form';
import { Empty } from '../ui/states';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { Connectors } from './connectors';
import { NewToken } from './new-token';
import { kindNames, limitOf, wordsOf } from './token-kinds';

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
            question={`${texts.account.revokeAllQuestion} ${texts.account.kinds[kind]}`}
            onAct={then(() => client.tokens.revokeAll({ kind }))}
          >
            {texts.account.revokeAll} {texts.account.kinds[kind]}
          </ConfirmedAction>
        ))}
      </div>
      <PagedList paged={tokens} none={texts.account.noTokens}>
        {(items) =>
          items.some(isValid) ? (
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{texts.account.label}</th>
                  <th scope="col">{texts.account.scopes}</th>
                  <th scope="col">{texts.account.lastUsed}</th>
                  <th scope="col">{texts.account.expires}</th>
                  <th scope="col">{texts.account.creditLimit}</th>
                  <th scope="col">{texts.actions}</th>
                </tr>
              </thead>
              <tbody>
                {items.filter(isValid).map((token) => (
                  <tr key={token.id}>
                    <td>
                      {token.label}
                      <div className="quiet">
                        {texts.account.kinds[token.kind]} <code>{token.prefix}…</code>
                      </div>
                    </td>
                    <td>
                      <details>
                        <summary>{texts.account.scopeCount(token.scopes.length)}</summary>
                        <p className="token-scopes">{wordsOf(token.scopes)}</p>
                      </details>
                    </td>
                    <td>
                      <Time at={token.lastUsedAt} />
                    </td>
                    <td>
                      <Time at={token.expiresAt} />
                    </td>
                    <td>
                      <Limit token={token} />
                    </td>
                    <td>
                      <ConfirmedAction
                        question={`${texts.account.revokeQuestion} ${token.label}`}
                        onAct={then(() => client.tokens.revoke(token.id))}
                      >
                        {texts.account.revoke}
                      </ConfirmedAction>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={texts.account.noTokens} />
          )
        }
      </PagedList>
      <h2>{texts.account.connectors}</h2>
      <p className="quiet">{texts.account.connectorsHint}</p>
      <Connectors />
    </>
  );
}

/** The credit limit of a token, which can be changed or removed at any time. */
function Limit({ token: { id, label, creditLimit, creditPeriod } }: { token: shapes.TokenSummary }) {
  const { client } = useConsole();
  const queries = useQueryClient();
  const set = async (values: FormData): Promise<void> => {
    const credits = limitOf(fieldOf(values, 'credits')) ?? null;
    await client.tokens.limit(id, {
      creditLimit: credits,
      creditPeriod: fieldOf(values, 'period') === 'total' ? 'total' : 'month',
    });
    await queries.invalidateQueries({ queryKey: ['tokens'] });
  };
  return (
    <details>
      <summary>
        {creditLimit === null ? texts.account.noLimit : `${creditLimit} ${texts.account.periods[creditPeriod]}`}
      </summary>
      <Form onSend={set} action={texts.save}>
        <input
          name="credits"
          type="number"
          min={0}
          defaultValue={creditLimit ?? ''}
          aria-label={`${texts.account.creditLimit}: ${label}`}
        />
        <select name="period" defaultValue={creditPeriod} aria-label={`${texts.account.creditPeriod}: ${label}`}>
          <option value="month">{texts.account.periods.month}</option>
          <option value="total">{texts.account.periods.total}</option>
        </select>
      </Form>
    </details>
  );
}
