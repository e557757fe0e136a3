/** A pseudo-random generator from 0 to 1, repeatable by its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface RandomGraphOptions {
  random: () => number;
  maxNodes: number;
  /** The server for http nodes: `<address>/flaky` answers after some attempts, `<address>/bad` never does. */
  address?: string | undefined;
  /** The share of nodes that fail the whole run. */
  fatalShare?: number;
}

interface NodeRef {
  id: string;
  type: string;
}

/** A random graph of nodes that compute, fail, retry and map lists, with conditions on many edges. */
export function randomGraph({ random, maxNodes, address, fatalShare = 0.002 }: RandomGraphOptions): object {
  const below = (to: number): number => Math.floor(random() * to);
  const make = (count: number, depth: number): { nodes: object[]; edges: object[] } => {
    const earlier: NodeRef[] = [];
    const nodes: object[] = [];
    const edges: object[] = [];
    for (let n = 0; n < count; n += 1) {
      const id = `n${n}`;
      const before = n === 0 || random() < 0.1 ? [] : some(earlier, 1 + below(3));
      const sum = [...before.map(toNumberExpression), String(below(50)), ...(depth > 0 ? ['index'] : [])].join(' + ');
      const kind = random();
      const onError = random() < fatalShare ? 'fail' : 'continue';
      if (depth === 0 && kind < 0.08) {
        const items = `[${Array.from({ length: below(6) }, () => below(10)).join(', ')}]`;
        const onItemError = random() < 0.5 ? 'fail' : 'continue';
        const settings = { items, concurrency: 1 + below(4), onItemError, graph: make(1 + below(4), depth + 1) };
        earlier.push({ id, type: 'map' });
        nodes.push({ id, type: 'map', onError: 'continue', settings });
      } else if (address !== undefined && kind < 0.16) {
        const bad = random() < 0.3;
        const url = bad ? `${address}/bad` : `${address}/flaky?fails=${below(3)}`;
        earlier.push({ id, type: 'http' });
        nodes.push({
          id,
          type: 'http',
          settings: { url },
          onError: bad ? onError : 'fail',
          retry: { attempts: bad ? 2 : 10, delaySeconds: 0 },
        });
      } else {
        const fails = kind > 0.88;
        const expression = fails ? `${sum} + 1 / 0` : `(${sum}) % 97`;
        earlier.push({ id, type: 'transform' });
        const own = depth > 0 && random() < 0.3 ? 'fail' : onError;
        nodes.push({ id, type: 'transform', settings: { expression }, onError: fails ? own : 'fail' });
      }
      for (const { id: from, type } of before) {
        const conditional = random() < 0.4;
        const when = `${toNumberExpression({ id: from, type })} % ${2 + below(3)} == ${below(2)}`;
        edges.push({ from, to: id, ...(conditional && { when }) });
      }
    }
    return { nodes, edges };
  };
  const some = (earlier: readonly NodeRef[], count: number): NodeRef[] => {
    const picked = new Set(
      Array.from({ length: count }, () => earlier[Math.max(earlier.length - 1 - below(12), 0)] as NodeRef),
    );
    return [...picked];
  };
  return make(1 + below(maxNodes), 0);
}

/** An expression for a number from the output of a node. */
function toNumberExpression({ id, type }: NodeRef): string {
  const value =
    type === 'map'
      ? `size(nodes.${id}.output)`
      : type === 'http'
        ? `int(nodes.${id}.output.body.n)`
        : `int(nodes.${id}.output)`;
  return `(nodes.${id}.status == 'succeeded' ? ${value} : 1)`;
}
