// Runs the JavaScript of stand-ins in QuickJS, a JavaScript engine in a wasm module of its own: without input and output, and with limits of
// time, memory, and stack.
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type { QuickJSContext, QuickJSHandle, VmCallResult } from 'quickjs-emscripten-core';
import { AppError } from '#shared/protocol/errors.ts';
import { type Value, isRawText, isReal } from '#shared/protocol/values.ts';
import type { StandIn } from '#shared/stand-ins.ts';

export interface SandboxLimits {
  /** Time that one call may take. A statement of many calls can be stopped as any other. */
  readonly callMs: number;
  readonly memoryBytes: number;
}

const LIMITS: SandboxLimits = { callMs: 2000, memoryBytes: 64 << 20 };
/** The engine calls from inside SQLite: what QuickJS uses of the thread's own stack is several times this. */
const STACK_BYTES = 128 << 10;
/** So much fits beside what the code keeps. */
const MOST_ARGUMENT_BYTES = 16 << 20;
const MOST_MESSAGE_CHARACTERS = 500;
/** The name that QuickJS gives the code in stacks. */
const FILE = 'code.js';

/** Whether the running statement is to end. */
export type IsStopped = () => boolean;
const NEVER: IsStopped = () => false;

/** The functions of one stand-in. All throw AppError `sql` with a sentence about it, or `stopped`. */
export interface CompiledStandIn {
  /** Result of a function, or of an aggregate for the group whose number comes first. */
  call(values: readonly Value[], isStopped: IsStopped): Value;
  /** Adds a row to the group whose number comes first. Only for an aggregate. */
  step(values: readonly Value[], isStopped: IsStopped): void;
  /** Frees a group. Only for an aggregate. */
  forget(group: number): void;
}

const PAGE_BYTES = 65_536;
/** What the module asks for at least. */
const FIRST_PAGES = 256;

export async function createSandbox(limits: Partial<SandboxLimits> = {}): Promise<Sandbox> {
  const all = { ...LIMITS, ...limits };
  const quickjs = await newQuickJSWASMModuleFromVariant({
    type: 'sync',
    importFFI: async () => (await import('@jitl/quickjs-singlefile-browser-release-sync/ffi')).QuickJSFFI,
    async importModuleLoader() {
      const { default: load } = await import('@jitl/quickjs-singlefile-browser-release-sync/emscripten-module');
      return async (options) => boundedModule(await load({ ...options, wasmMemory: memoryOf(all.memoryBytes) }));
    },
  });
  return new Sandbox(quickjs.newContext(), all);
}

/** The limit that QuickJS has itself counts no bytes when it is compiled to wasm. */
const memoryOf = (bytes: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: Math.max(FIRST_PAGES, bytes / PAGE_BYTES) });

/** The package writes arguments to whatever address it gets, which is 0 when there is no memory. */
function boundedModule<M extends { _malloc(bytes: number): number }>(module: M): M {
  const allocate = module._malloc.bind(module);
  module._malloc = (bytes) => {
    const pointer = allocate(bytes);
    if (pointer === 0) throw new RangeError('out of memory');
    return pointer;
  };
  return module;
}

/** One for the stand-ins of a database. Its memory is freed with the last reference to it. */
export class Sandbox {
  readonly #context: QuickJSContext;
  readonly #limits: SandboxLimits;
  /** What {@link PRELUDE} returns. */
  readonly #tools: QuickJSHandle;
  #deadlineMs = Infinity;
  #isStopped = NEVER;
  #over: 'time' | 'stop' | null = null;
  #isBroken = false;

  constructor(context: QuickJSContext, limits: SandboxLimits) {
    this.#context = context;
    this.#limits = limits;
    const { runtime } = context;
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.#isOver());
    this.#tools = context.unwrapResult(context.evalCode(PRELUDE));
  }

  /** It ran out of memory, or of the stack of its thread, after which nothing in it can be relied on. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** @throws AppError `sql` with the line of the error */
  compile(standIn: StandIn): CompiledStandIn {
    const made = this.#make(standIn);
    const part = (name: 'call' | 'step' | 'forget') => {
      const handle = this.#context.getProp(made, name);
      return (values: readonly Value[], isStopped: IsStopped): Value => this.#call(standIn, handle, values, isStopped);
    };
    const forget = part('forget');
    return { call: part('call'), step: part('step'), forget: (group) => void forget([group], NEVER) };
  }

  #make(standIn: StandIn): QuickJSHandle {
    const context = this.#context;
    const code = standIn.code.trim().replace(/;$/, '');
    const value = this.#run(standIn, NEVER, () => context.evalCode(`(${code}\n)`, FILE));
    const kind = context.newString(standIn.kind);
    const make = context.getProp(this.#tools, 'make');
    return this.#run(standIn, NEVER, () => context.callFunction(make, context.undefined, kind, value));
  }

  /**
   * Runs the code once.
   * @param values expressions: the arguments, or for an aggregate an array of them for each row; null only compiles the code
   * @throws AppError `sql`
   */
  try(standIn: StandIn, values: string | null): Value {
    const context = this.#context;
    const made = this.#make(standIn);
    if (values === null) return null;
    const all = this.#run(standIn, NEVER, () => context.evalCode(`[${values}\n]`, 'values.js'));
    const tryAll = context.getProp(this.#tools, 'tryAll');
    return this.#valueOf(this.#run(standIn, NEVER, () => context.callFunction(tryAll, context.undefined, made, all)));
  }

  #call(standIn: StandIn, callee: QuickJSHandle, values: readonly Value[], isStopped: IsStopped): Value {
    assertSize(standIn, values);
    const context = this.#context;
    const handles: QuickJSHandle[] = [];
    let result: QuickJSHandle | null = null;
    try {
      result = this.#run(standIn, isStopped, () => {
        for (const value of values) handles.push(this.#handleOf(value));
        return context.callFunction(callee, context.undefined, ...handles);
      });
      return this.#valueOf(result);
    } finally {
      if (!this.#isBroken) {
        result?.dispose();
        for (const handle of handles) handle.dispose();
      }
    }
  }

  /** Runs code of the user under the limits. */
  #run(standIn: StandIn, isStopped: IsStopped, work: () => VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (this.#isBroken) throw failed(standIn, 'its sandbox has ended. Open the database again');
    this.#deadlineMs = performance.now() + this.#limits.callMs;
    this.#isStopped = isStopped;
    this.#over = null;
    let result: VmCallResult<QuickJSHandle>;
    let thrown: unknown;
    try {
      result = work();
      if (!result.error) return result.value;
      thrown = this.#over === null ? this.#context.dump(result.error) : null;
      result.error.dispose();
    } catch {
      // The wasm module itself failed.
      this.#isBroken = true;
      throw failed(standIn, 'it ran out of memory or stack, and its sandbox was ended. Open the database again');
    }
    throw this.#reasonOf(standIn, thrown);
  }

  #reasonOf(standIn: StandIn, thrown: unknown): AppError {
    if (this.#over === 'stop') return AppError.stopped('Stopped.', { sqlite: { result: 9, extended: 9, offset: -1 } });
    if (this.#over === 'time') return failed(standIn, `a call took longer than ${this.#limits.callMs / 1000} s`);
    return failed(standIn, reasonFor(thrown, this.#limits.memoryBytes));
  }

  #isOver(): boolean {
    if (this.#isStopped()) this.#over = 'stop';
    else if (performance.now() > this.#deadlineMs) this.#over = 'time';
    return this.#over !== null;
  }

  #handleOf(value: Value): QuickJSHandle {
    const context = this.#context;
    switch (typeof value) {
      case 'number':
        return context.newNumber(value);
      case 'bigint':
        return context.newBigInt(value);
      case 'string':
        return value.includes('\0') ? this.#made('textOf', unitsOf(value)) : context.newString(value);
      default:
        if (value === null) return context.null;
        if (isReal(value)) return context.newNumber(value.real);
        if (isRawText(value))
          return this.#handleOf(new TextDecoder('utf-8', { ignoreBOM: true }).decode(value.textBytes));
        return this.#made('bytesOf', value.slice().buffer);
    }
  }

  #made(tool: 'textOf' | 'bytesOf', bytes: ArrayBuffer): QuickJSHandle {
    const context = this.#context;
    return context
      .newArrayBuffer(bytes)
      .consume((buffer) =>
        context
          .getProp(this.#tools, tool)
          .consume((callee) => context.unwrapResult(context.callFunction(callee, context.undefined, buffer))),
      );
  }

  #valueOf(handle: QuickJSHandle): Value {
    const context = this.#context;
    switch (context.typeof(handle)) {
      case 'string':
        return context.getString(handle);
      case 'number':
        return context.getNumber(handle);
      case 'bigint': {
        const integer = context.getBigInt(handle);
        return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
      }
      case 'object':
        return this.#carriedBy(handle);
      default:
        return null;
    }
  }

  /** See {@link PRELUDE}. */
  #carriedBy(handle: QuickJSHandle): Value {
    const context = this.#context;
    const part = <T>(name: string, read: (part: QuickJSHandle) => T): T => context.getProp(handle, name).consume(read);
    const kind = part('kind', (name) => context.getString(name));
    if (kind === 'real') {
      const real = part('value', (value) => context.getNumber(value));
      return Number.isInteger(real) ? { real } : real;
    }
    const bytes = part('value', (buffer) =>
      context.getArrayBuffer(buffer).consume(({ value }) => new Uint8Array(value)),
    );
    if (kind === 'blob') return bytes;
    const units = new Uint16Array(bytes.buffer);
    let text = '';
    for (let at = 0; at < units.length; at += 4096) text += String.fromCharCode(...units.subarray(at, at + 4096));
    return text;
  }
}

function unitsOf(text: string): ArrayBuffer {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units.buffer;
}

function assertSize(standIn: StandIn, values: readonly Value[]): void {
  let bytes = 0;
  for (const value of values) {
    if (typeof value === 'string') bytes += value.length * 2;
    else if (value instanceof Uint8Array) bytes += value.length;
    else if (typeof value === 'object' && value !== null && isRawText(value)) bytes += value.textBytes.length;
  }
  if (bytes > MOST_ARGUMENT_BYTES)
    throw failed(standIn, `its arguments have more than ${MOST_ARGUMENT_BYTES >> 20} MB`);
}

const failed = (standIn: StandIn, reason: string): AppError =>
  AppError.sql(`The function “${standIn.name}”, which was defined in JavaScript, failed: ${reason}.`, {
    sqlite: { result: 1, extended: 1, offset: -1 },
  });

/** The exception in words, with its line in the code. Anything can be thrown. */
function reasonFor(thrown: unknown, memoryBytes: number): string {
  if (typeof thrown !== 'object' || thrown === null) return shortened(String(thrown));
  const { name, message, stack } = thrown as Readonly<Record<string, unknown>>;
  if (isOutOfMemory(thrown)) return `it needs more than ${memoryBytes >> 20} MB of memory`;
  const line = typeof stack === 'string' ? lineIn(stack.slice(0, MOST_MESSAGE_CHARACTERS)) : null;
  const what = typeof message === 'string' ? shortened(message) : 'an object was thrown';
  const kind = typeof name === 'string' && name !== 'Error' ? `${shortened(name)}: ` : '';
  return `${kind}${what}${line === null ? '' : ` (line ${line})`}`;
}

const shortened = (text: string): string =>
  text.length > MOST_MESSAGE_CHARACTERS ? `${text.slice(0, MOST_MESSAGE_CHARACTERS)}…` : text;

/* oxlint-disable sidelite/text-decisions -- QuickJS says these only in words */
const isOutOfMemory = (error: object): boolean =>
  'message' in error && 'name' in error && error.name === 'InternalError' && error.message === 'out of memory';
const lineIn = (stack: string): string | null => /\bcode\.js:(\d{1,6})\b/.exec(stack)?.[1] ?? null;

// What the sandbox runs before the code of the user: it makes functions of the code, and of each result a value that SQLite can store.

/**
 * JavaScript, evaluated in the sandbox. `make` returns the functions that are called from outside. A result leaves as a text, a number, a
 * bigint, or undefined for NULL; what no handle carries exactly leaves in an object: a blob, a REAL, a text with U+0000.
 */
const PRELUDE = String.raw`(() => {
  'use strict';
  class Real { constructor(number) { this.number = Number(number); } }
  Object.defineProperty(globalThis, 'real', { value: (number) => new Real(number) });
  const refuse = (what) => { throw new TypeError('the result is ' + what + ', which SQLite cannot store'); };
  const number = (value) => (value === value ? value : refuse('NaN'));
  const unitsOf = (text) => {
    const units = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
    return units.buffer;
  };
  const give = (value) => {
    switch (typeof value) {
      case 'string':
        if (!value.isWellFormed()) refuse('a text with half a surrogate pair');
        return value.includes('\0') ? { kind: 'text', value: unitsOf(value) } : value;
      case 'number': return number(value);
      case 'bigint': return BigInt.asIntN(64, value) === value ? value : refuse('an integer of more than 64 bits');
      case 'boolean': return value ? 1 : 0;
      case 'undefined': throw new TypeError('there is no result; return null for NULL');
      case 'object':
        if (value === null) return undefined;
        if (value instanceof Real) return { kind: 'real', value: number(value.number) };
        if (value instanceof Uint8Array) return { kind: 'blob', value: value.slice().buffer };
        if (value instanceof ArrayBuffer) return { kind: 'blob', value: value.slice() };
        return refuse('an object');
      default: return refuse('a ' + typeof value);
    }
  };
  const isFunction = (value) => typeof value === 'function';
  const make = (kind, value) => {
    if (kind === 'aggregate') {
      if (value === null || typeof value !== 'object' || !isFunction(value.step) || !isFunction(value.result))
        throw new TypeError('an aggregate is an object with the functions step and result, and start if it has a first state');
      const groups = new Map();
      const stateOf = (group) => (groups.has(group) ? groups.get(group) : isFunction(value.start) ? value.start() : value.start);
      return {
        step(group, ...values) {
          const before = stateOf(group);
          const after = value.step(before, ...values);
          groups.set(group, after === undefined ? before : after);
        },
        call(group) { return give(value.result(stateOf(group))); },
        forget(group) { groups.delete(group); },
      };
    }
    if (!isFunction(value)) throw new TypeError('the code is not a function, such as (text) => text.toLowerCase()');
    return { call: (...values) => give(value(...values)) };
  };
  const textOf = (buffer) => {
    let text = '';
    const units = new Uint16Array(buffer);
    for (let at = 0; at < units.length; at += 4096) text += String.fromCharCode.apply(null, units.subarray(at, at + 4096));
    return text;
  };
  const tryAll = (made, values) => {
    if (made.step === undefined) return made.call(...values);
    for (const row of values) made.step(1, ...(Array.isArray(row) ? row : [row]));
    return made.call(1);
  };
  return { make, textOf, bytesOf: (buffer) => new Uint8Array(buffer), tryAll };
})()`;
