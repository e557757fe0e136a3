import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceKind } from '../src/services.js';

/** Stub services for the specs of the launcher. */
const programs = {
  good: `server(); process.on('SIGTERM', () => process.exit(0));`,
  deaf: `server(); process.on('SIGTERM', () => {});`,
  broken: `console.error('the engine is missing'); process.exit(3);`,
  slow: `setTimeout(server, 600_000); process.on('SIGTERM', () => process.exit(0));`,
  shouting: `server(); console.log(JSON.stringify({ level: 'info', service: 'x', msg: process.env.GREETING }));`,
} as const;

const beginning = `
  const { createServer } = require('node:http');
  const server = () => createServer((request, response) => response.end('{}')).listen(+process.env.PORT, '127.0.0.1');
`;

export async function standIn(folder: string, name: string, kind: keyof typeof programs): Promise<ServiceKind> {
  const entry = join(folder, `${name}.cjs`);
  await writeFile(entry, `${beginning}${programs[kind]}`);
  return { name, offset: 0, entry };
}
