const { appendFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { processorSeconds, startedProcesses } = require('./started-processes.cjs');
const { serverVariables } = require('./test-servers.cjs');

/** A test environment without a VM context: tests run in the worker process itself, which is put back as it was after each file. */
module.exports = class NativeEnvironment {
  global = globalThis;

  constructor({ projectConfig }, { testPath }) {
    this.testPath = testPath;
    this.processorSeconds = processorSeconds();
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.console = globalThis.console;
    this.exit = process.exit;
    this.folder = process.cwd();
    this.variables = { ...process.env };
    Object.assign(process.env, serverVariables(projectConfig.displayName?.name));
    // Nx asks for colors, which the output that tests compare must not have.
    delete process.env.FORCE_COLOR;
    this.processes = startedProcesses();
    this.msToEnd = projectConfig.testEnvironmentOptions.msForProcessesToEnd ?? 20_000;
  }

  async setup() {}

  /** A file fails when processes that it started are still there after its last hook. */
  async handleTestEvent({ name }, state) {
    if (name !== 'run_finish') return;
    this.fakeTimersModern.useRealTimers();
    const left = await this.processes.endOrKill(this.msToEnd);
    if (left.length === 0) return;
    const error = new Error(`processes that this file started did not end: ${left.join('; ')}`);
    state.unhandledErrors.push([error, error]);
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    globalThis.console = this.console;
    process.exit = this.exit;
    process.chdir(this.folder);
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    this.report();
  }

  /** Tells tools/checks/jest-round.mjs how much processor time the file took, with the processes that it started. */
  report() {
    const { TEST_USAGE: usage } = process.env;
    if (!usage) return;
    const processor = processorSeconds() - this.processorSeconds;
    const { rss } = process.memoryUsage();
    appendFileSync(usage, `${JSON.stringify({ path: this.testPath, processor, megabytes: Math.round(rss / 1e6) })}\n`);
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
};
