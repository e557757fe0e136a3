/** The reason why the platform cannot start, in one sentence. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
