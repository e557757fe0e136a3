/** Why the platform does not start, in one sentence for whom started it. */
export class StartupError extends Error {
  override readonly name = 'CannotStart';
}
