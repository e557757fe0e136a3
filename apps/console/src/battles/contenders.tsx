import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Status } from '../ui/status';
import { SelectField, TextField } from '../ui/field';

interface Props {
  battle: shapes.Battle;
  isMine: boolean;
  onChanged: () => void;
}

/** The contenders, as far as the person may know them, with the answers that arrived. */
export function Contenders({ battle, isMine, onChanged }: Props) {
  const { client, me } = useConsole();
  const canWithdraw = battle.status === 'draft' || battle.status === 'open';
  const withdraw = async (contenderId: string): Promise<void> => {
    await client.battles.withdrawContender(battle.id, contenderId);
    onChanged();
  };
  return (
    <section className="panel scroll">
      <h2>
        {battlesTexts.contenders}{' '}
        <span className="quiet">
          {battle.contenderCount} / {battle.maxContenders}
        </span>
      </h2>
      {battle.contenders.length === 0 && <p className="quiet">{battlesTexts.noContenders}</p>}
      <table className="table">
        <tbody>
          {battle.contenders.map((contender) => (
            <tr key={contender.id}>
              <td className="slot">{contender.slotLabel}</td>
              <td>
                {contender.displayName}
                <div className="quiet">
                  {contender.contenderType} {contender.answerError}
                </div>
              </td>
              <td>
                {contender.submitted !== null && (
                  <Status value={contender.submitted ? battlesTexts.submitted : battlesTexts.missing} />
                )}
              </td>
              <td>
                {canWithdraw && (isMine || contender.contenderRefId === me.account?.id) && (
                  <ConfirmedAction question={battlesTexts.withdrawQuestion} onAct={() => withdraw(contender.id)}>
                    {battlesTexts.withdraw}
                  </ConfirmedAction>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isMine && battle.status === 'open' && <AnswerFor battle={battle} onChanged={onChanged} />}
    </section>
  );
}

/** The creator may answer for an AI contender, whose answer is then not written by a run. */
function AnswerFor({ battle, onChanged }: Omit<Props, 'isMine'>) {
  const { client } = useConsole();
  const agents = battle.contenders.filter(({ contenderType }) => contenderType !== 'human');
  if (agents.length === 0) return null;
  const submit = async (values: FormData): Promise<void> => {
    const request = { contenderId: readField(values, 'contender'), contentText: readField(values, 'text') };
    await client.battles.submitEntry(battle.id, request);
    onChanged();
  };
  return (
    <details>
      <summary>{battlesTexts.answerFor}</summary>
      <Form onSend={submit} action={battlesTexts.submitFor} clears>
        <SelectField label={battlesTexts.of} name="contender">
          {agents.map(({ id, displayName }) => (
            <option key={id} value={id}>
              {displayName}
            </option>
          ))}
        </SelectField>
        <TextField label={battlesTexts.answer} name="text" required rows={4} />
      </Form>
    </details>
  );
}
