import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from './programs.js';

export interface Certificates {
  /** The certificate of the CA, as PEM. */
  ca: string;
  caFile: string;
  /** A certificate for loopback and its key. */
  certificateFile: string;
  keyFile: string;
}

/** Makes a CA of its own and a certificate for servers on loopback. */
export function makeCertificates(folder: Folder, name: string): Certificates {
  const file = (kind: string): string => folder.write(`${name}-${kind}`, '');
  const [caKey, caFile, keyFile, request, certificateFile] = [
    'ca.key',
    'ca.crt',
    'server.key',
    'server.csr',
    'server.crt',
  ].map(file) as [string, string, string, string, string];
  const extensions = folder.write(`${name}-extensions`, 'subjectAltName = IP:127.0.0.1, DNS:localhost\n');
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name} CA`, '-keyout', caKey, '-out', caFile);
  openssl('req', ...newKey, '-subj', '/CN=server', '-keyout', keyFile, '-out', request);
  const signed = ['-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-CAserial', join(folder.path, `${name}.srl`)];
  openssl('x509', '-req', '-in', request, ...signed, '-days', '2', '-extfile', extensions, '-out', certificateFile);
  return { ca: readFileSync(caFile, 'utf8'), caFile, certificateFile, keyFile };
}

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
}
