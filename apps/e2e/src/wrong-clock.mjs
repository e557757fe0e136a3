// Preloaded into every service; the workers and the processes that they start believe another time.
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
