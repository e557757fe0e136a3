/** The approximate JSON length of a value; Infinity above the limit, without visiting the rest. */
export function jsonSizeWithin(value: unknown, limit: number): number {
  let size = 0;
  const visit = (each: unknown): void => {
    size += typeof each === 'string' ? each.length + 3 : 4;
    if (size > limit || typeof each !== 'object' || each === null) return;
    if (Array.isArray(each)) {
      for (let at = 0; at < each.length && size <= limit; at += 1) visit(each[at]);
      return;
    }
    for (const name in each) {
      if (size > limit) return;
      size += name.length + 3;
      visit((each as Record<string, unknown>)[name]);
    }
  };
  visit(value);
  return size > limit ? Infinity : size;
}
