import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Form, readField } from '../ui/form';
import { Secret } from '../ui/secret';
import { type NewTokenKind, kindNames, parseLimit, scopesFor, tokenKinds } from './token-kinds';
import { useMemberships } from './use-memberships';
import { Field, SelectField } from '../ui/field';

/** A form for a token of a program; its value is shown once. */
export function NewToken() {
  const { client } = useConsole();
  const queries = useQueryClient();
  const [kind, setKind] = useState<NewTokenKind>('developer');
  const [made, setMade] = useState<{ label: string; value: string }>();
  const create = async (values: FormData): Promise<void> => {
    setMade(undefined);
    const label = readField(values, 'label');
    const communityId = readField(values, 'community');
    const creditLimit = parseLimit(readField(values, 'creditLimit'));
    const creditPeriod: 'month' | 'total' = readField(values, 'creditPeriod') === 'total' ? 'total' : 'month';
    const scopes = values.getAll('scopes').map(String).join(',');
    const rest = {
      scopes,
      ttl: Number(readField(values, 'ttl')),
      ...(creditLimit !== undefined && { creditLimit, creditPeriod }),
    };
    const { value } =
      kind === 'developer'
        ? await client.tokens.createDeveloper({ label, ...rest })
        : kind === 'organisation'
          ? await client.tokens.create({ label, communityId, ...rest })
          : await client.connectors.create({ name: label, ...(communityId && { communityId }), ...rest });
    setMade({ label, value });
    await queries.invalidateQueries({ queryKey: ['tokens'] });
    await queries.invalidateQueries({ queryKey: ['connectors'] });
  };
  return (
    <details className="new-token">
      <summary>{accountTexts.newToken}</summary>
      {made && <Secret what={`${accountTexts.tokenValue} ${made.label}:`} value={made.value} />}
      {/* A change of the kind resets days and scopes to those of the kind. */}
      <Form onSend={create} action={accountTexts.createToken} key={kind}>
        <label>
          {accountTexts.kind}
          <select
            value={kind}
            onChange={({ target }) => setKind(kindNames.find((each) => each === target.value) ?? kind)}
          >
            {kindNames.map((each) => (
              <option key={each} value={each}>
                {accountTexts.kinds[each]}
              </option>
            ))}
          </select>
        </label>
        <p className="quiet">{accountTexts.kindHints[kind]}</p>
        <TokenFields kind={kind} />
        <fieldset className="scopes">
          <legend>{accountTexts.scopes}</legend>
          {scopesFor(kind).map(({ name, description }) => (
            <label key={name}>
              <input type="checkbox" name="scopes" value={name} defaultChecked={name === 'lenses:read'} />
              <span>
                <code>{name}</code> <span className="quiet">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Form>
    </details>
  );
}

function TokenFields({ kind }: { kind: NewTokenKind }) {
  const communities = useMemberships().filter(({ role }) => role === 'owner' || role === 'admin');
  const { min, max, usual } = tokenKinds[kind];
  return (
    <div className="columns">
      <Field label={accountTexts.label} name="label" required maxLength={100} autoComplete="off" />
      {kind !== 'developer' && (
        <SelectField label={accountTexts.actsFor} name="community" required={kind === 'organisation'}>
          {kind === 'service' && <option value="">{accountTexts.myAccount}</option>}
          {communities.map(({ communityId, displayName }) => (
            <option key={communityId} value={communityId}>
              {displayName}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        label={`${accountTexts.days} (${min}–${max})`}
        name="ttl"
        type="number"
        required
        min={min}
        max={max}
        defaultValue={usual}
      />
      <Field label={accountTexts.creditLimit} name="creditLimit" type="number" min={0} step={1} />
      <SelectField label={accountTexts.creditPeriod} name="creditPeriod">
        <option value="month">{accountTexts.periods.month}</option>
        <option value="total">{accountTexts.periods.total}</option>
      </SelectField>
    </div>
  );
}
