import { setTimeout as pause } from 'node:timers/promises';
import { freePort, isFree } from '@lensforge/embedded';
import { StartupError } from './startup-error.js';
import type { Replicas } from './replicas.js';
import type { ServiceKind } from './services.js';

export interface Ports {
  of(service: string): readonly number[];
  receiver: number;
  postgres: number;
  redis: number;
}

export const usualBase = 4000;
const receiverOffset = 500;
const postgresOffset = 532;
const redisOffset = 579;

export function readPortBase(text: string | undefined): number {
  const base = Number(text ?? usualBase);
  if (Number.isInteger(base) && base >= 1 && base <= 65_000) return base;
  throw new StartupError(`LENSFORGE_PORT_BASE is "${text}": it must be a whole number from 1 to 65000.`);
}

/** A base from which the port of every service is free. */
export async function freePortBase(services: readonly ServiceKind[]): Promise<number> {
  for (;;) {
    const base = await freePort();
    const ports = services.map(({ offset }) => base + offset);
    const free = Math.max(...ports) < 65_536 ? await Promise.all(ports.map((port) => isFree(port))) : [false];
    if (free.every(Boolean)) return base;
  }
}

const preferred = async (port: number): Promise<number> => ((await isFree(port)) ? port : freePort());

interface PortOptions {
  replicas?: Replicas | undefined;
  base?: number | undefined;
  /** The timeout for a port that is still in use. */
  patienceMs?: number;
}

/** A port for every process: counted from `base`, or free ports without it. */
export async function choosePorts(
  services: readonly ServiceKind[],
  { replicas = {}, base, patienceMs = 0 }: PortOptions,
): Promise<Ports> {
  const chosen = new Map<string, number[]>();
  for (const { name, offset } of services) {
    const ports: number[] = [];
    for (let index = 0; index < (replicas[name] ?? 1); index += 1) {
      ports.push(base === undefined ? await freePort() : base + offset + index);
    }
    chosen.set(name, ports);
  }
  await refuseTaken(chosen, performance.now() + patienceMs);
  const near = (offset: number): Promise<number> => (base === undefined ? freePort() : preferred(base + offset));
  return {
    of: (service) => chosen.get(service) ?? [],
    receiver: await near(receiverOffset),
    postgres: await near(postgresOffset),
    redis: await near(redisOffset),
  };
}

async function isFreeBy(port: number, deadline: number): Promise<boolean> {
  for (;;) {
    if (await isFree(port)) return true;
    if (performance.now() > deadline) return false;
    await pause(100);
  }
}

async function refuseTaken(chosen: ReadonlyMap<string, readonly number[]>, deadline: number): Promise<void> {
  const seen = new Map<number, string>();
  for (const [service, ports] of chosen) {
    for (const port of ports) {
      const other = seen.get(port);
      if (other) {
        throw new StartupError(
          `Port ${port} would go to both ${other} and ${service}: ask for fewer replicas of ${other}.`,
        );
      }
      seen.set(port, service);
      if (await isFreeBy(port, deadline)) continue;
      throw new StartupError(
        `Port ${port}, which ${service} needs, is already taken: stop what holds it, or move all ports with LENSFORGE_PORT_BASE.`,
      );
    }
  }
}
