/** A server cannot run here; the message names the reason and the fix. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault';
}
