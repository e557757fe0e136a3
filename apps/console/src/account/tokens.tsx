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
            <table className="table stacks">
              <thead>
                <tr>
                  <th scope="col">{accountTexts.label}</th>
                  <th scope="col">{accountTexts.scopes}</th>
                  <th scope="col">{accountTexts.lastUsed}</th>
                  <th scope="col">{accountTexts.expires}</th>
                  <th scope="col">{accountTexts.creditLimit}</th>
                  <th scope="col">{texts.actions}</th>
                </tr>
              </thead>
              <tbody>
                {items.filter(isValid).map((token) => (
                  <TokenRow key={token.id} token={token} onChanged={reload} />
                ))}
              </tbody>
            </table>
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

function TokenRow({ token, onChanged }: { token: shapes.TokenSummary; onChanged: () => Promise<void> }) {
  const { client } = useConsole();
  const revoke = async (): Promise<void> => {
    await client.tokens.revoke(token.id);
    await onChanged();
  };
  return (
    <tr>
      <td>
        {token.label}
        <div className="quiet">
          {accountTexts.kinds[token.kind]} <code>{token.prefix}…</code>
        </div>
      </td>
      <td>
        <details>
          <summary>{accountTexts.scopeCount(token.scopes.length)}</summary>
          <p className="token-scopes">{describeScopes(token.scopes)}</p>
        </details>
      </td>
      <td data-name={accountTexts.lastUsed}>
        <Time at={token.lastUsedAt} />
      </td>
      <td data-name={accountTexts.expires}>
        <Time at={token.expiresAt} />
      </td>
      <td data-name={accountTexts.creditLimit}>
        <Limit token={token} />
      </td>
      <td>
        <ConfirmedAction question={`${accountTexts.revokeQuestion} ${token.label}`} onAct={revoke}>
          {accountTexts.revoke}
        </ConfirmedAction>
      </td>
    </tr>
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
      <Form onSend={set} action={texts.save}>
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
