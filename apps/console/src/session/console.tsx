import type { Client, shapes } from '@lensforge/sdk';
import { createContext, use } from 'react';
import type { Session } from './session';
import type { Settings } from './settings';

/** The parts that all views share. */
export interface Console {
  settings: Settings;
  session: Session;
  client: Client;
  me: shapes.Me;
  /** The query that the page was opened with, before the router reads numbers in it. */
  query: URLSearchParams;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const found = use(ConsoleContext);
  if (!found) throw new Error('useConsole is called outside of the console');
  return found;
}

export const useClient = (): Client => useConsole().client;
