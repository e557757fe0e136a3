import { createHash, createHmac } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Context, newId } from '@lensforge/core';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { anEndpoint } from '@lensforge/webhooks/testing';

export type Behaviour = 'healthy' | 'slow' | 'failing' | 'hanging' | 'cutting';
export type Mix = Partial<Record<Behaviour, number>>;

/** The first delivery of an event. */
interface First {
  latencyMs: number;
  digest: string;
  data: Record<string, unknown>;
}

export interface Receiver {
  behaviour: Behaviour;
  secret: string;
  first: Map<string, First>;
  calls: number;
  /** Calls without a valid signature, or with other bytes than the first of the same event. */
  wrong: number;
  sockets: Set<Socket>;
  maxSockets: number;
}

/** One server for many endpoints, healthy and failing ones. */
export class Receivers {
  private readonly all = new Map<string, Receiver>();
  private readonly server: Server;

  private constructor(private readonly masterKey: string) {
    this.server = createServer((request, response) => {
      const receiver = this.all.get((request.url ?? '').slice(1));
      if (!receiver) return void response.writeHead(404).end();
      note(receiver, request.socket);
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('error', () => undefined);
      request.on('end', () => {
        take(receiver, Buffer.concat(pieces), String(request.headers['x-service-signature']));
        answer(receiver.behaviour, response);
      });
    });
  }

  static async open(masterKey: string): Promise<Receivers> {
    const receivers = new Receivers(masterKey);
    await new Promise<void>((resolve) => receivers.server.listen(0, '127.0.0.1', resolve));
    return receivers;
  }

  /** Creates endpoints for the account of the context. */
  async subscribe(ctx: Context, mix: Mix): Promise<Receiver[]> {
    const ring = keyRing(readMasterKeys(this.masterKey));
    const { port } = this.server.address() as AddressInfo;
    const made: Receiver[] = [];
    for (const [behaviour, count] of Object.entries(mix) as [Behaviour, number][]) {
      for (let n = 0; n < count; n += 1) {
        const place = newId();
        const { secret } = await anEndpoint(ctx, { url: `http://127.0.0.1:${port}/${place}`, ring });
        const [first, sockets] = [new Map<string, First>(), new Set<Socket>()];
        const receiver: Receiver = { behaviour, secret, first, calls: 0, wrong: 0, sockets, maxSockets: 0 };
        this.all.set(place, receiver);
        made.push(receiver);
      }
    }
    return made;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function note(receiver: Receiver, socket: Socket): void {
  if (!receiver.sockets.has(socket)) socket.once('close', () => receiver.sockets.delete(socket));
  receiver.sockets.add(socket);
  receiver.maxSockets = Math.max(receiver.maxSockets, receiver.sockets.size);
}

function take(receiver: Receiver, body: Buffer, signature: string): void {
  receiver.calls += 1;
  const { id, timestamp, data } = JSON.parse(body.toString()) as { id: string; timestamp: string; data: First['data'] };
  const expected = `sha256=${createHmac('sha256', receiver.secret).update(body).digest('hex')}`;
  const digest = createHash('sha256').update(body).digest('base64');
  const before = receiver.first.get(id);
  if (signature !== expected || (before && before.digest !== digest)) receiver.wrong += 1;
  if (!before) receiver.first.set(id, { latencyMs: Date.now() - Date.parse(timestamp), digest, data });
}

function answer(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'healthy') response.end();
  else if (behaviour === 'failing') response.writeHead(500).end();
  else if (behaviour === 'cutting') response.socket?.destroy();
  else if (behaviour === 'slow') setTimeout(() => response.end(), 2000).unref();
}
