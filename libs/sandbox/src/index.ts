export { sandboxRefusal } from './sandbox-refusal.js';
export { SandboxFault } from './sandbox-fault.js';
export { closeSandbox, configureSandbox, sandboxTasks } from './sandbox-tasks.js';
export type { TaskLimits, TaskReport } from './sandbox.js';
export { TimeBudget } from './time-budget.js';
