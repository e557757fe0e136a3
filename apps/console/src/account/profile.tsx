import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Form, fieldOf } from '../ui/form';
import { saveLines } from '../ui/save-file';

/** The person's name, the download of their data, and the end of the account. */
export function Profile() {
  const { me, settings, client } = useConsole();
  const rename = async (values: FormData): Promise<void> => {
    await client.me.update({ displayName: fieldOf(values, 'displayName') });
  };
  const close = async (values: FormData): Promise<void> => {
    await client.me.close({ handle: fieldOf(values, 'handle').replace(/^@/, '') });
    location.assign(`${settings.signIn}/id/`);
  };
  const download = async (): Promise<void> => {
    await saveLines(client.me.export(), 'lensforge-export.ndjson');
  };
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{texts.account.handle}</dt>
        <dd>@{me.account?.handle}</dd>
        <dt>{texts.account.email}</dt>
        <dd>{me.email}</dd>
      </dl>
      <Form onSend={rename} action={texts.account.rename}>
        <label>
          {texts.account.displayName}
          <input name="displayName" required maxLength={100} defaultValue={me.account?.displayName} />
        </label>
      </Form>
      <h2>{texts.account.yourData}</h2>
      <p>{texts.account.exportHint}</p>
      <Action onAct={download}>{texts.account.export}</Action>
      <h2>{texts.account.closing}</h2>
      <p>{texts.account.closingHint}</p>
      <Form onSend={close} action={texts.account.close} isDangerous>
        <label>
          {texts.account.confirmHandle}
          <input name="handle" required autoComplete="off" />
        </label>
      </Form>
    </div>
  );
}
