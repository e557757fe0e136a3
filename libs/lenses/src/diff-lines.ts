export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

const maxEdits = 1000;

/** The shortest edit script of two texts by lines (Myers); beyond 1,000 edits the differing part is replaced as a whole. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const middle = editsOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))];
}

const lines = (kind: DiffLine['kind']) => (texts: readonly string[]) => texts.map((text): DiffLine => ({ kind, text }));
const same = lines('same');
const added = lines('added');
const removed = lines('removed');

function editsOf(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length === 0) return added(b);
  if (b.length === 0) return removed(a);
  const limit = Math.min(a.length + b.length, maxEdits);
  const trace: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= limit; edits += 1) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = goesDown(furthest, diagonal, edits) ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trace, edits);
    }
    furthest = next;
  }
  return [...removed(a), ...added(b)];
}

const at = (positions: ReadonlyMap<number, number>, diagonal: number): number => positions.get(diagonal) ?? 0;

const goesDown = (positions: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && at(positions, diagonal - 1) < at(positions, diagonal + 1));

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Map<number, number>[],
  last: number,
): DiffLine[] {
  const found: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = last; edits >= 0; edits -= 1) {
    const positions = trace[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const from = goesDown(positions, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : at(positions, from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      found.push({ kind: 'same', text: a[(x -= 1)] ?? '' });
      y -= 1;
    }
    if (edits === 0) break;
    if (x === fromX) found.push({ kind: 'added', text: b[(y -= 1)] ?? '' });
    else found.push({ kind: 'removed', text: a[(x -= 1)] ?? '' });
  }
  return found.reverse();
}
