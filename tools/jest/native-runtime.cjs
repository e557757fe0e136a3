const asyncHooks = require('node:async_hooks');
const { register } = require('node:module');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { sourceMapFile } = require('./compiled-sources.cjs');

const areHooksRegistered = Symbol.for('lensforge.source-hooks');
const circusHandlers = Symbol.for('EVENT_HANDLERS');
const testTimeout = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Finds the source map of a file when the first stack with that file is printed. */
class SourceMaps extends Map {
  get(file) {
    const [url] = file.split('?');
    return url.startsWith('file:') && url.endsWith('.ts') ? sourceMapFile(fileURLToPath(url)) : undefined;
  }
}
const sourceMaps = new SourceMaps();

/** The storages that jest-circus makes each time it is loaded. Node goes through all that are in use at each promise. */
const storages = new Set();

/** Loads a module again, and keeps the storages that it makes. */
function loadAgain(path) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor() {
      super();
      storages.add(this);
    }
  };
  delete require.cache[path];
  try {
    return require(path);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/** The number of imports of test files and setup files, which are evaluated each time. */
let imports = 0;

/**
 * Loads test files with Node's own loader instead of a loader in a VM context. A module is loaded once for all test files of a worker process;
 * jest-runtime loads it once for each file. Mocks of modules do not exist here, fake timers do. See docs/adr/0028-tests-run-on-nodes-loader.md.
 */
module.exports = class NativeRuntime {
  constructor(_config, environment) {
    this.environment = environment;
    if (globalThis[areHooksRegistered]) return;
    globalThis[areHooksRegistered] = true;
    register('./source-hooks.mjs', pathToFileURL(__filename));
  }

  /** Loads jest-circus again for each test file, without the tests and handlers of the file before. */
  requireInternalModule(path) {
    delete globalThis[circusHandlers];
    return loadAgain(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm(path) {
    return !path.endsWith('.cjs');
  }

  async unstable_importModule(path) {
    imports += 1;
    await import(`${pathToFileURL(path).href}?import=${imports}`);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.environment;
    const jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      setTimeout: (ms) => {
        globalThis[testTimeout] = ms;
      },
      useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
    };
    Object.assign(globalThis, globals, { jest });
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return {};
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    delete globalThis[testTimeout];
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
