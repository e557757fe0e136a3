/** A reason why a server cannot run here, told in one sentence that a user can act on. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault';
}
