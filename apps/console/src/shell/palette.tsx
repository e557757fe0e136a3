import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { describeFault } from '../ui/fault';
import { useSettled } from '../ui/use-settled';
import { isUuid } from '../ui/uuid';
import { listViewGroups } from './views';

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

interface Places {
  places: Place[];
  /** Why there are no more of them. */
  state: string | undefined;
}

/** The views, lenses and workflows whose name has the typed text, and the run with the typed id. */
function usePlaces(typed: string): Places {
  const { client, me } = useConsole();
  const text = typed.trim().toLowerCase();
  // A search counts as expensive, so that it waits until the person stops typing.
  const searched = useSettled(text);
  const search = useQuery({
    queryKey: ['palette', 'lenses', searched],
    queryFn: async () => (await client.lenses.list({ q: searched, limit: 6 })).items,
    enabled: searched.length > 1,
    placeholderData: keepPreviousData,
  });
  const lenses = text.length > 1 ? (search.data ?? []) : [];
  const { data: workflows = [] } = useQuery({
    queryKey: ['palette', 'workflows'],
    queryFn: async () => (await client.workflows.list({ limit: 100 })).items,
    enabled: text.length > 1,
  });
  const has = (name: string): boolean => name.toLowerCase().includes(text);
  const places = [
    ...(isUuid(text) ? [{ name: `Run ${text}`, href: `/runs/${text}` }] : []),
    ...listViewGroups(me)
      .flatMap(({ views }) => views)
      .filter(({ name }) => has(name))
      .map(({ name, to }) => ({ name, href: to })),
    ...lenses.map(({ id, title }) => ({ name: `${texts.runs.lens}: ${title}`, href: `/lenses/${id}` })),
    ...(text.length > 1 ? workflows.filter(({ title }) => has(title)).slice(0, 6) : []).map(({ id, title }) => ({
      name: `${texts.runs.workflow}: ${title}`,
      href: `/workflows/${id}`,
    })),
  ];
  const isSearching = text.length > 1 && (search.isFetching || searched !== text);
  if (search.isError) return { places, state: describeFault(search.error) };
  if (isSearching) return { places, state: texts.palette.searching };
  return { places, state: places.length === 0 ? texts.palette.none : undefined };
}

/** A dialog that goes to views and objects by keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { places, state } = usePlaces(typed);
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
      <p className="state" role="status">
        {state}
      </p>
    </dialog>
  );
}
