type Hear = (text: string) => void;

const waiting: string[] = [];
let hear: Hear | undefined;
let onFirst: (() => void) | undefined;

/** Tells the person in a corner of the window that something was done, also when its view is left then. */
export function announce(text: string): void {
  if (hear) return hear(text);
  waiting.push(text);
  onFirst?.();
}

/** Calls `start` when there is something to tell and nothing that shows it. Returns a function that ends that. */
export function onAnnounced(start: () => void): () => void {
  onFirst = start;
  if (waiting.length > 0) start();
  return () => {
    onFirst = undefined;
  };
}

/** Gets all that was told before, and all that follows. Returns a function that ends that. */
export function hearAnnounced(next: Hear): () => void {
  hear = next;
  for (const text of waiting.splice(0)) next(text);
  return () => {
    hear = undefined;
  };
}
