/** Contenders that votes connect: each is comparable with the others of its component only. */
export type Component = { readonly contenders: readonly number[] };

/**
 * The order of pairs by their contenders' sorted ids, then by covariates. A pair is flipped when its second contender's id
 * is the lower one.
 */
export function canonicalOrder(
  first: readonly number[],
  second: readonly number[],
  differences: readonly (readonly number[])[],
  indexOf: Uint32Array,
): { order: Uint32Array; flipped: Uint8Array } {
  const pairs = first.length;
  const low = new Uint32Array(pairs);
  const high = new Uint32Array(pairs);
  const flipped = new Uint8Array(pairs);
  for (let pair = 0; pair < pairs; pair += 1) {
    const a = indexOf[first[pair] as number] as number;
    const b = indexOf[second[pair] as number] as number;
    low[pair] = Math.min(a, b);
    high[pair] = Math.max(a, b);
    flipped[pair] = a > b ? 1 : 0;
  }
  let order = Uint32Array.from({ length: pairs }, (_, pair) => pair);
  if ((differences[0]?.length ?? 0) > 0) {
    const sign = (pair: number): number => (flipped[pair] === 1 ? -1 : 1);
    order.sort((a, b) => {
      for (const [index, value] of (differences[a] as readonly number[]).entries()) {
        const gap = sign(a) * value - sign(b) * ((differences[b] as readonly number[])[index] as number);
        if (gap !== 0) return gap;
      }
      return 0;
    });
  }
  order = sortedBy(order, high, indexOf.length);
  order = sortedBy(order, low, indexOf.length);
  return { order, flipped };
}

/** A stable counting sort by keys below `size`. */
function sortedBy(order: Uint32Array, keys: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(size + 1);
  for (const key of keys) next[key + 1] = (next[key + 1] as number) + 1;
  for (let key = 0; key < size; key += 1) next[key + 1] = (next[key + 1] as number) + (next[key] as number);
  const sorted = new Uint32Array(order.length);
  for (const item of order) {
    const key = keys[item] as number;
    const at = next[key] as number;
    sorted[at] = item;
    next[key] = at + 1;
  }
  return sorted;
}

/** The connected components of contenders, the largest first; of equal ones, that with the lowest id first. */
export function connect(
  size: number,
  first: Uint32Array,
  second: Uint32Array,
): { components: Component[]; componentOf: Uint32Array } {
  const parent = Uint32Array.from({ length: size }, (_, contender) => contender);
  const findRoot = (contender: number): number => {
    let root = contender;
    while (parent[root] !== root) {
      const above = parent[parent[root] as number] as number;
      parent[root] = above;
      root = above;
    }
    return root;
  };
  for (let pair = 0; pair < first.length; pair += 1) {
    const a = findRoot(first[pair] as number);
    const b = findRoot(second[pair] as number);
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
  }
  const groups = new Map<number, number[]>();
  for (let contender = 0; contender < size; contender += 1) {
    const root = findRoot(contender);
    const group = groups.get(root);
    if (group) group.push(contender);
    else groups.set(root, [contender]);
  }
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length);
  const componentOf = new Uint32Array(size);
  for (const [component, contenders] of sorted.entries()) {
    for (const contender of contenders) componentOf[contender] = component;
  }
  return { components: sorted.map((contenders) => ({ contenders })), componentOf };
}
