import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/agents.css';
import './styles/battles.css';
import './styles/experiments.css';
import './styles/threads.css';
import './styles/runs.css';
import './styles/lenses.css';
import './styles/account.css';
import './styles/workflows.css';
import { UnauthorizedError, createClient } from '@lensforge/sdk';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type Root, createRoot } from 'react-dom/client';
import { createConsoleRouter } from './router';
import { ConsoleContext } from './session/console';
import { Session } from './session/session';
import { readSettings } from './session/settings';
import { SignInPage } from './shell/sign-in-page';
import { StartFault } from './shell/start-fault';
import { applyTheme } from './shell/theme';

function createQueries(session: Session): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof UnauthorizedError) void session.confirm();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true } },
  });
}

async function start(root: Root): Promise<void> {
  const settings = await readSettings();
  if (location.origin !== settings.api) {
    location.replace(settings.api + location.pathname + location.search);
    return;
  }
  const session = new Session(settings);
  if (location.pathname === '/console/signed-in') {
    const returnTo = await session.finishSignIn(new URLSearchParams(location.search));
    history.replaceState(null, '', returnTo);
  } else if (!(await session.renew())) {
    root.render(<SignInPage onSignIn={() => void session.signIn(location.pathname + location.search)} />);
    return;
  }
  const client = createClient({ baseUrl: settings.api, apiKey: () => session.accessToken() });
  const me = await client.me.get();
  const query = new URLSearchParams(location.search);
  const router = createConsoleRouter();
  root.render(
    <ConsoleContext value={{ settings, session, client, me, query }}>
      <QueryClientProvider client={createQueries(session)}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ConsoleContext>,
  );
}

// A page that the browser has kept after the sign-out must not be shown again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
applyTheme();
const element = document.getElementById('console');
if (!element) throw new Error('the page has no element for the console');
const root = createRoot(element);
start(root).catch((error: unknown) => root.render(<StartFault error={error} />));
