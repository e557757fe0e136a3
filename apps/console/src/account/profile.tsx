import { useConsole } from '../session/console';
import { texts } from '../texts';

export function Profile() {
  const { me, settings } = useConsole();
  return (
    <>
      <dl className="facts">
        <dt>{texts.account.handle}</dt>
        <dd>@{me.account?.handle}</dd>
        <dt>{texts.account.displayName}</dt>
        <dd>{me.account?.displayName}</dd>
        <dt>{texts.account.email}</dt>
        <dd>{me.email}</dd>
      </dl>
      <p>
        <a href={`${settings.signIn}/id/`}>{texts.account.signInPages}</a>
      </p>
    </>
  );
}
