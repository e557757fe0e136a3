import { bytesOf } from './connection.js';
import type { HoldReaders, OutcomeOf } from './orders.js';
import { Stream } from './stream.js';

const openAtOnce = 50;
const held: Stream[] = [];

/** Opens streams and keeps them open until they are released. */
export async function holdReaders({ streams }: HoldReaders): Promise<OutcomeOf<HoldReaders>> {
  for (let at = 0; at < streams.length; at += openAtOnce) {
    await Promise.all(
      streams.slice(at, at + openAtOnce).map(async (call) => {
        const stream = await Stream.connect(call.port, () => undefined);
        held.push(stream);
        stream.ask(bytesOf(call));
        const status = await stream.begun;
        if (status !== 200) throw new Error(`a stream was answered with ${status}`);
      }),
    );
  }
  return { open: held.length };
}

export async function letGo(): Promise<Record<string, never>> {
  const leaving = held.splice(0);
  for (const stream of leaving) stream.close();
  await Promise.all(leaving.map(({ closed }) => closed));
  return {};
}
