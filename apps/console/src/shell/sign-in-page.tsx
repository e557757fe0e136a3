import { texts } from '../texts';

export function SignInPage({ onSignIn }: { onSignIn: () => void }) {
  return (
    <main className="alone">
      <h1>{texts.product}</h1>
      <p>{texts.signIn.text}</p>
      <button className="primary" type="button" onClick={onSignIn} autoFocus>
        {texts.signIn.action}
      </button>
    </main>
  );
}
