import releaseSync from '@jitl/quickjs-singlefile-mjs-release-sync';
import { type QuickJSWASMModule, newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type { Subject } from './assertion.js';

const limits = { memoryBytes: 16 * 1024 * 1024, stackBytes: 512 * 1024, timeMs: 500 };

let loaded: Promise<QuickJSWASMModule> | undefined;

export interface JavascriptContext {
  vars: Subject['params'];
  expected: unknown;
}

/** Evaluates code of users with the names `output` and `context`, in an interpreter with limits of time and memory. */
export type Evaluate = (code: string, output: unknown, context: JavascriptContext) => unknown;

/** Opens the interpreter, which is loaded once. */
export async function openJavascript(): Promise<Evaluate> {
  const quickjs = await (loaded ??= newQuickJSWASMModuleFromVariant(releaseSync));
  return (code, output, context) => {
    // Processor time: on a busy machine the verdict is the same.
    const begun = process.cpuUsage();
    const isTooLong = (): boolean => {
      const { user, system } = process.cpuUsage(begun);
      return user + system > limits.timeMs * 1000;
    };
    try {
      const result: unknown = quickjs.evalCode(toProgram(code, output, context), {
        memoryLimitBytes: limits.memoryBytes,
        maxStackSizeBytes: limits.stackBytes,
        shouldInterrupt: isTooLong,
      });
      return typeof result === 'string' ? (JSON.parse(result) as { value?: unknown }).value : undefined;
    } catch (reason) {
      throw new Error(toMessage(reason), { cause: reason });
    }
  };
}

/** The message of what the interpreter throws, which is an object of its own. */
function toMessage(reason: unknown): string {
  const message = typeof reason === 'object' && reason !== null && 'message' in reason ? reason.message : undefined;
  return typeof message === 'string' ? message : 'the code threw no error';
}

/** One expression, or statements that return; the result leaves the interpreter as JSON. */
function toProgram(code: string, output: unknown, context: JavascriptContext): string {
  const body = isBody(code) ? code : `return (${withoutSemicolon(code.trim())}\n)`;
  return `JSON.stringify({ value: (function (output, context) { ${body}
})(${toLiteral(output)}, ${toLiteral(context)}) })`;
}

const withoutSemicolon = (code: string): string => (code.endsWith(';') ? code.slice(0, -1) : code);

const isBody = (code: string): boolean => /(^|[\s;{}])return\b/.test(code);

const toLiteral = (value: unknown): string => (value === undefined ? 'undefined' : JSON.stringify(value));
