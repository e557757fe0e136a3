import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { WaitingCount } from '../approvals/waiting-count';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { countDrafts, discardDrafts } from '../ui/drafts';
import { Palette, usePaletteKey } from './palette';
import { SignedOut } from './signed-out';
import { type Theme, applyTheme, storedTheme, themes } from './theme';
import { listViews } from './views';

/** The frame of all views: navigation, palette, theme and sign-out. */
export function Shell() {
  const { me, session } = useConsole();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  usePaletteKey(() => setPaletteOpen(true));
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
        <Link className="brand" to="/runs">
          {texts.product}
        </Link>
        <button type="button" onClick={() => setPaletteOpen(true)}>
          {texts.navigation.palette}
        </button>
        <nav aria-label={texts.navigation.label}>
          <ul>
            {listViews(me).map(({ to, name }) => (
              <li key={to}>
                <Link to={to}>{name}</Link>
                {to === '/approvals' && <WaitingCount />}
              </li>
            ))}
          </ul>
        </nav>
        <div className="side-foot">
          <ThemeChoice />
          <span className="quiet who">{me.account ? `@${me.account.handle}` : me.email}</span>
          <button type="button" onClick={() => void signOut()}>
            {texts.navigation.signOut}
          </button>
        </div>
      </header>
      <main className="view" id="view">
        <Outlet />
      </main>
      <SignedOut />
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
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
