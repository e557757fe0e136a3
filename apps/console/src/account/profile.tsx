import { useConsole } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { saveLines } from '../ui/save-file';
import { Field } from '../ui/field';

/** The person's name, the download of their data, and the end of the account. */
export function Profile() {
  const { me, settings, client } = useConsole();
  const rename = async (values: FormData): Promise<void> => {
    await client.me.update({ displayName: readField(values, 'displayName') });
  };
  const close = async (values: FormData): Promise<void> => {
    await client.me.close({ handle: readField(values, 'handle').replace(/^@/, '') });
    location.assign(`${settings.signIn}/id/`);
  };
  const download = async (): Promise<void> => {
    await saveLines(client.me.export(), 'lensforge-export.ndjson');
  };
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{accountTexts.handle}</dt>
        <dd>@{me.account?.handle}</dd>
        <dt>{accountTexts.email}</dt>
        <dd>{me.email}</dd>
      </dl>
      <Form onSend={rename} action={accountTexts.rename}>
        <Field
          label={accountTexts.displayName}
          name="displayName"
          required
          maxLength={100}
          defaultValue={me.account?.displayName}
        />
      </Form>
      <h2>{accountTexts.yourData}</h2>
      <p>{accountTexts.exportHint}</p>
      <Action onAct={download}>{accountTexts.export}</Action>
      <h2>{accountTexts.closing}</h2>
      <p>{accountTexts.closingHint}</p>
      <Form onSend={close} action={accountTexts.close} isDangerous>
        <Field label={accountTexts.confirmHandle} name="handle" required autoComplete="off" />
      </Form>
    </div>
  );
}
