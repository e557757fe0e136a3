/** About the length of a value as JSON; anything longer than `most` is given as infinite without being looked through. */
export function jsonSizeWithin(value: unknown, most: number): number {
  let size = 0;
  const visit = (each: unknown): void => {
    size += typeof each === 'string' ? each.length + 3 : 4;
    if (size > most || typeof each !== 'object' || each === null) return;
    if (Array.isArray(each)) {
      for (let at = 0; at < each.length && size <= most; at += 1) visit(each[at]);
      return;
    }
    for (const name in each) {
      if (size > most) return;
      size += name.length + 3;
      visit((each as Record<string, unknown>)[name]);
    }
  };
  visit(value);
  return size > most ? Infinity : size;
}
