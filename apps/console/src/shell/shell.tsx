import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { Fragment, lazy, Suspense, useEffect, useState } from 'react';
import { WaitingCount } from '../approvals/waiting-count';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { onAnnounced } from '../ui/announce';
import { countDrafts, discardDrafts } from '../ui/drafts';
import { PaletteDialog } from './palette-dialog';
import { SignedOut } from './signed-out';
import { type Theme, applyTheme, storedTheme, themes } from './theme';
import { usePaletteKey } from './use-palette-key';
import { listViewGroups } from './views';

// Nothing is told in most views, so they are not among the first scripts.
const Toasts = lazy(async () => ({ default: (await import('../ui/toasts')).Toasts }));
const icon = { size: '1.15em', 'aria-hidden': true } as const;

/** The frame of all views: navigation, palette, theme and sign-out. */
export function Shell() {
  const { me, session } = useConsole();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const href = useLocation({ select: (location) => location.href });
  // On a phone the menu is open until the next view.
  const [openAt, setOpenAt] = useState<string>();
  const isMenuOpen = openAt === href;
  usePaletteKey(() => setPaletteOpen(true));
  const [hasToasts, setHasToasts] = useState(false);
  useEffect(() => onAnnounced(() => setHasToasts(true)), []);
  const signOut = async (): Promise<void> => {
    const count = countDrafts();
    if (count > 0 && !confirm(texts.confirmSignOut(count))) return;
    await session.signOut();
    // The next person at this browser must not find them.
    discardDrafts();
    location.replace('/console/');
  };
  return (
    <div className="shell">
      <a className="skip" href="#view">
        {texts.navigation.skip}
      </a>
      <header className="side">
        <div className="side-head">
          <Link className="brand" to="/">
            {texts.product}
          </Link>
          <button type="button" className="search" onClick={() => setPaletteOpen(true)}>
            <Search {...icon} /> <span>{texts.navigation.palette}</span> <kbd>{texts.navigation.paletteKeys}</kbd>
          </button>
          <button
            type="button"
            className="menu-toggle"
            aria-expanded={isMenuOpen}
            aria-controls="menu"
            onClick={() => setOpenAt(isMenuOpen ? undefined : href)}
          >
            <Menu {...icon} /> {texts.navigation.menu}
          </button>
        </div>
        <div className={isMenuOpen ? 'menu open' : 'menu'} id="menu">
          <nav aria-label={texts.navigation.label}>
            {listViewGroups(me).map(({ name = '', views }) => (
              <Fragment key={name}>
                {name !== '' && <p className="quiet">{name}</p>}
                <ul aria-label={name || undefined}>
                  {views.map((view) => (
                    <li key={view.to}>
                      <Link to={view.to} activeOptions={{ exact: view.to === '/' }}>
                        <view.icon {...icon} /> {view.name}
                      </Link>
                      {view.to === '/approvals' && <WaitingCount />}
                    </li>
                  ))}
                </ul>
              </Fragment>
            ))}
          </nav>
          <div className="side-foot">
            <ThemeChoice />
            <span className="quiet who">{me.account ? `@${me.account.handle}` : me.email}</span>
            <button type="button" onClick={() => void signOut()}>
              {texts.navigation.signOut}
            </button>
          </div>
        </div>
      </header>
      <main className="view" id="view">
        <Outlet />
      </main>
      <SignedOut />
      {hasToasts && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
      {isPaletteOpen && <PaletteDialog onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (chosen: Theme): void => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <select
      aria-label={texts.navigation.theme}
      value={theme}
      onChange={(event) => choose(event.currentTarget.value as Theme)}
    >
      {themes.map((each) => (
        <option key={each} value={each}>
          {texts.navigation.themes[each]}
        </option>
      ))}
    </select>
  );
}
