import { type AddressInfo, type Server, createServer } from 'node:net';

/** Forbidden hosts in many notations, by the reason in the error message. */
export const hostileHosts: Readonly<Record<string, readonly string[]>> = {
  loopback: [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.000.000.001',
    '0177.0.0.1',
    '0177.0.0.01',
    '0x7f.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '0X7F000001',
    '2130706433',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127.0.0.1',
    '%31%32%37.0.0.1',
    '127.255.255.254',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    'localtest.me',
  ],
  'this host': ['0', '0.0.0.0', '00', '0x0', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]'],
  'IPv4 in IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:169.254.169.254]',
    'mapped.example',
  ],
  NAT64: ['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[64:ff9b::a9fe:a9fe]', 'nat64.example'],
  '6to4': ['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:0a00:0001::]'],
  Teredo: ['[2001:0:7f00:1::]'],
  'link-local': ['[fe80::1]', '[febf::1]', '169.254.0.1', '169.254.43517'],
  'unique local': ['[fd00::1]', '[fc00::1]'],
  multicast: ['[ff02::1]', '224.0.0.1', '239.255.255.250'],
  private: [
    '10.0.0.1',
    '10.1',
    '167772161',
    '0xa000001',
    '012.0.0.1',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '192.168.1',
    '0xc0a80001',
    'inside.example',
  ],
  'carrier NAT': ['100.64.0.1', '100.127.255.254'],
  'a metadata service': [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.43518',
    '0251.0376.0251.0376',
    '１６９.254.169.254',
    '[fd00:ec2::254]',
    '169.254.170.2',
    '168.63.129.16',
    '192.0.0.192',
    '100.100.100.200',
    'metadata.google.internal',
    'metadata.google.internal.',
  ],
  'for benchmarks': ['198.18.0.1'],
  documentation: ['192.0.2.1', '[2001:db8::1]'],
  reserved: ['240.0.0.1', '255.255.255.255', '[100::1]', '[5f00::1]'],
  'a name of this host': ['localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost', 'a.localhost', 'x.y.LocalHost.'],
  'no address': ['garbage.example'],
  'it has no address': ['empty.example'],
  '::1 is loopback, fd00::1 is unique local, fe80::1 is link-local': ['six.example'],
};

/** The addresses of the host names among them. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  'metadata.google.internal': ['169.254.169.254'],
  'metadata.google.internal.': ['169.254.169.254'],
  'localtest.me': ['127.0.0.1'],
  'inside.example': ['10.0.0.1', '192.168.0.1'],
  'six.example': ['::1', 'fd00::1', 'fe80::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'garbage.example': ['127.1', 'localhost', ''],
  'empty.example': [],
};

/** The forbidden hosts that need no DNS look-up. */
export const hostileAddresses: readonly string[] = Object.values(hostileHosts)
  .flat()
  .filter((host) => !Object.hasOwn(hostileNames, host));

/** Invalid URLs; HOST stands for the host and port of a listening server. */
export const hostileUrls: readonly string[] = [
  'http://user@HOST/',
  'http://user:secret@HOST/',
  'http://example.com@HOST/',
  'http://@HOST:80@HOST/',
  'ftp://HOST/',
  'file:///etc/passwd',
  'gopher://HOST/_x',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'ws://HOST/',
  'unix:/var/run/docker.sock',
  '//HOST/',
  '/relative',
  'http://',
  'http:///',
  'http://[::1',
  'http://[fe80::1%25lo]/',
  'http://[::1%25lo]/',
  'http://1.2.3.4.5/',
  'http://256.256.256.256/',
  'http://a b/',
  'http://exa\u0000mple.com/',
  `http://HOST/${'a'.repeat(3000)}`,
  '',
];

export interface Canary {
  port: number;
  /** The number of connections so far. */
  connections(): number;
  close(): void;
}

/** Starts a server on both loopback addresses that counts and closes connections. */
export async function startCanary(): Promise<Canary> {
  const servers: Server[] = [];
  let count = 0;
  const listen = async (host: string, port: number): Promise<number> => {
    const server = createServer((socket) => {
      count += 1;
      socket.destroy();
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await listen('127.0.0.1', 0);
  // Some machines have no IPv6.
  await listen('::1', port).catch(() => undefined);
  return { port, connections: () => count, close: () => servers.forEach((server) => void server.close()) };
}
