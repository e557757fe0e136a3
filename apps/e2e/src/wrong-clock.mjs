// Preloaded into every service; changes the clock of the workers and of the processes that they start.
const minutes = process.pid % 2 === 0 ? 10 : -10;

if (/(run-worker|isolated-run)\.js$/.test(process.argv[1] ?? '')) {
  const Right = Date;
  globalThis.Date = class Date extends Right {
    constructor(...given) {
      super(...(given.length === 0 ? [Date.now()] : given));
    }

    static now() {
      return Right.now() + minutes * 60_000;
    }
  };
}
