import { texts } from '../texts';
import { describeFault } from '../ui/fault';

/** The console could not start: a service is away, or a sign-in failed. */
export function StartFault({ error }: { error: unknown }) {
  return (
    <main className="alone">
      <h1>{texts.startFault.title}</h1>
      <p role="alert">{describeFault(error)}</p>
      <a className="button" href="/console/">
        {texts.again}
      </a>
    </main>
  );
}
