export { sandboxRefusal } from './sandbox-refusal.js';
export { SandboxFault } from './sandbox-fault.js';
export { closeSandbox, configureSandbox, openSandbox, sandboxTasks } from './sandbox-tasks.js';
export type { Sandbox, SandboxOptions, TaskLimits, TaskReport } from './sandbox.js';
export { TimeBudget } from './time-budget.js';
