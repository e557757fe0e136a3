import type { RunEvent } from '@lensforge/sdk';
import { useEffect, useState } from 'react';
import { useClient } from '../session/console';
import { type Timeline, addEvents, emptyTimeline } from './timeline';

export interface LiveTimeline extends Timeline {
  error: unknown;
  /** The connection was lost and is opened again. */
  isReconnecting: boolean;
}

/** Events that arrive together are shown together, at most this often. */
const drawMs = 80;

/** The events of a run, as they are written. */
export function useTimeline(runId: string): LiveTimeline {
  const client = useClient();
  const [state, setState] = useState<LiveTimeline>({ ...emptyTimeline, error: undefined, isReconnecting: false });
  useEffect(() => {
    const controller = new AbortController();
    let waiting: RunEvent[] = [];
    const draw = (): void => {
      const added = waiting;
      waiting = [];
      if (added.length > 0) setState((before) => ({ ...before, ...addEvents(before, added), isReconnecting: false }));
    };
    const timer = setInterval(draw, drawMs);
    const follow = async (): Promise<void> => {
      const onReconnect = (): void => setState((before) => ({ ...before, isReconnecting: true }));
      const stream = client.runs.events(runId, {}, { signal: controller.signal, onReconnect, maxReconnects: 1000 });
      for await (const event of stream) waiting.push(event);
    };
    setState({ ...emptyTimeline, error: undefined, isReconnecting: false });
    follow()
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setState((before) => ({ ...before, error }));
      })
      .finally(() => {
        clearInterval(timer);
        if (!controller.signal.aborted) draw();
      });
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [client, runId]);
  return state;
}
