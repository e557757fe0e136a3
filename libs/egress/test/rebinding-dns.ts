import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

export interface RebindingDns {
  port: number;
  /** The number of answers of each kind. */
  answers: { public: number; private: number };
  close(): Promise<void>;
}

const A = 1;
const AAAA = 28;

/** Starts a name server that alternates between public and private addresses, with a TTL of 0 s. */
export async function rebindingDns(addresses: { public: string; private: readonly string[] }): Promise<RebindingDns> {
  const sent = { public: 0, private: 0 };
  let queries = 0;
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const type = typeOf(query);
    // A and AAAA queries come in pairs, which overlap for concurrent calls.
    const kind = Math.floor((queries += 1) / 2) % 2 === 0 ? 'public' : 'private';
    const found = [addresses[kind]].flat().filter((address) => (isIP(address) === 4 ? A : AAAA) === type);
    if (found.length > 0) sent[kind] += 1;
    server.send(answer(query, type, found), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    answers: sent,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const HEADER = 12;

function endOfName(message: Buffer): number {
  let at = HEADER;
  while (message[at] !== 0 && at < message.length) at += (message[at] ?? 0) + 1;
  return at + 1;
}

const typeOf = (message: Buffer): number => message.readUInt16BE(endOfName(message));

function answer(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  const questionSection = query.subarray(HEADER, endOfName(query) + 4);
  const head = Buffer.alloc(HEADER);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([head, questionSection, ...addresses.map((address) => record(type, bytesOf(address)))]);
}

function record(type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc00c, 0);
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
