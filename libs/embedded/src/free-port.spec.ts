import { describe, expect, it } from '@jest/globals';
import { freePort, isFree, reserve } from './free-port.js';

describe('freePort', () => {
  it('returns ports that neither this process nor another one gets a second time', async () => {
    // Two instances of the module know as little of each other as two processes.
    const other = (await import(`./free-port.js?${process.pid}`)) as { freePort: typeof freePort };
    const ports = await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 ? freePort() : other.freePort())));
    expect(new Set(ports).size).toBe(200);
    expect(await Promise.all(ports.map((port) => isFree(port)))).not.toContain(false);
  });
});

describe('reserve', () => {
  it('gives a port to one caller until the reservation is released', async () => {
    const port = await freePort();
    const first = await reserve(port);
    expect(first).toBeDefined();
    expect(await reserve(port)).toBeUndefined();
    await first?.release();
    expect(await isFree(port)).toBe(true);
  });
});
