/** Why the platform does not start, in one sentence for whom started it. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
