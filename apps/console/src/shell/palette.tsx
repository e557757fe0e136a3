import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
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

interface Props {
  typed: string;
  onType: (typed: string) => void;
  /** Called before it goes to a place. */
  onGo: () => void;
}

/** The field and the list of places in the dialog that goes to them by keyboard. */
export function Palette({ typed, onType, onGo }: Props) {
  const { places, state } = usePlaces(typed);
  const navigate = useNavigate();
  const go = (href: string): void => {
    onGo();
    void navigate({ to: href });
  };
  return (
    <>
      <Command shouldFilter={false} label={texts.palette.label}>
        <Command.Input autoFocus placeholder={texts.palette.label} value={typed} onValueChange={onType} />
        <Command.List label={texts.palette.label}>
          {places.map(({ name, href }) => (
            <Command.Item key={href} value={href} onSelect={go}>
              {name}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
      <p className="state" role="status">
        {state}
      </p>
    </>
  );
}
