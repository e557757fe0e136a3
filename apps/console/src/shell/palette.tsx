import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { isUuid } from '../ui/uuid';
import { listViews } from './views';

interface Place {
  name: string;
  href: string;
}

/** Calls `open` for Ctrl-K or Command-K. */
export function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** The views, lenses and workflows whose name has the typed text, and the run with the typed id. */
function usePlaces(typed: string): Place[] {
  const { client, me } = useConsole();
  const text = typed.trim().toLowerCase();
  const { data: lenses = [] } = useQuery({
    queryKey: ['palette', 'lenses', text],
    queryFn: async () => (await client.lenses.list({ q: text, limit: 6 })).items,
    enabled: text.length > 1,
  });
  const { data: workflows = [] } = useQuery({
    queryKey: ['palette', 'workflows'],
    queryFn: async () => (await client.workflows.list({ limit: 100 })).items,
    enabled: text.length > 1,
  });
  const has = (name: string): boolean => name.toLowerCase().includes(text);
  return [
    ...(isUuid(text) ? [{ name: `Run ${text}`, href: `/runs/${text}` }] : []),
    ...listViews(me)
      .filter(({ name }) => has(name))
      .map(({ name, to }) => ({ name, href: to })),
    ...lenses.map(({ id, title }) => ({ name: `${texts.runs.lens}: ${title}`, href: `/lenses/${id}` })),
    ...(text.length > 1 ? workflows.filter(({ title }) => has(title)).slice(0, 6) : []).map(({ id, title }) => ({
      name: `${texts.runs.workflow}: ${title}`,
      href: `/workflows/${id}`,
    })),
  ];
}

/** A dialog that goes to views and objects by keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const places = usePlaces(typed);
  const navigate = useNavigate();
  useEffect(() => dialog.current?.showModal(), []);

  const go = (place: Place | undefined): void => {
    if (!place) return;
    onClose();
    void navigate({ to: place.href });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at) => Math.max(0, Math.min(places.length - 1, at + step)));
    }
    if (event.key === 'Enter') go(places[chosen]);
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={texts.palette.label} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-places"
        aria-activedescendant={places[chosen] ? `place-${chosen}` : undefined}
        aria-label={texts.palette.label}
        placeholder={texts.palette.label}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
      />
      <ul id="palette-places" role="listbox" aria-label={texts.palette.label}>
        {places.map((place, at) => (
          <li key={place.href} id={`place-${at}`} role="option" aria-selected={at === chosen} onClick={() => go(place)}>
            {place.name}
          </li>
        ))}
      </ul>
      {places.length === 0 && <p className="state">{texts.palette.none}</p>}
    </dialog>
  );
}
