/** The value that this browser keeps under a key; undefined if there is nothing, or if it cannot be read. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value in this browser, or removes it if it is undefined. */
export function store(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage of the browser is full or off; the value is there until the view is left.
  }
}
