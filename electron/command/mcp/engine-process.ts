// The process that runs the calls, one at a time: a statement that cannot be interrupted ends with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { jsonLine } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { linesOf } from './lines.ts';

/** Marks the process that runs the calls; its words are those of the command. */
export const ENGINE_VARIABLE = 'SIDELITE_MCP_ENGINE';
/** What stops between two rows says so itself. */
const GRACE_MS = 1000;
const START_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 2000;
const NOT_STARTED = 'The database engine did not start. Standard error may say why.';
const OUT_OF_MEMORY = 'The database engine has ended, perhaps because the statement needed too much memory.';

/** `value` was returned, or `failure` says why there is none. */
export type Outcome = { readonly value: unknown } | { readonly failure: string };

interface Job {
  readonly line: string;
  settle(outcome: Outcome | null): void;
}

export class EngineProcess {
  readonly #context: CommandContext;
  readonly #limitMs: number;
  readonly #waiting: Job[] = [];
  #child: ChildProcess | null = null;
  #isReady = false;
  #running: Job | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Why the process is being ended. */
  #why = '';

  constructor(context: CommandContext, limitMs: number) {
    this.#context = context;
    this.#limitMs = limitMs;
    this.#start();
  }

  /** Resolves with null if it was canceled. */
  call(tool: string, args: unknown, cancellation: AbortSignal): Promise<Outcome | null> {
    return new Promise((settle) => {
      const job: Job = { line: jsonLine({ tool, args }), settle };
      this.#waiting.push(job);
      cancellation.addEventListener('abort', () => this.#cancel(job));
      this.#next();
    });
  }

  /** Ends the process. Call when nothing waits for it. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin!.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  #cancel(job: Job): void {
    if (this.#running === job) return this.#kill('The call was canceled.');
    const at = this.#waiting.indexOf(job);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    job.settle(null);
  }

  #next(): void {
    if (this.#running !== null || this.#waiting.length === 0) return;
    this.#running = this.#waiting.shift()!;
    if (this.#child === null) this.#start();
    else if (this.#isReady) this.#send();
  }

  #send(): void {
    this.#child!.stdin!.write(this.#running!.line);
    this.#giveUpAfter(this.#limitMs + GRACE_MS, `The call took longer than ${this.#limitMs / 1000} s and was stopped.`);
  }

  #settle(outcome: Outcome): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = null;
    job?.settle(outcome);
    this.#next();
  }

  #giveUpAfter(ms: number, why: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kill(why), ms);
  }

  #kill(why: string): void {
    this.#why = why;
    this.#child?.kill('SIGKILL');
  }

  #start(): void {
    const { words, program, scriptsIn, ...rest } = this.#context;
    const [file = '', ...args] = program ?? [
      process.execPath,
      join(scriptsIn, 'command.mjs'),
      JSON.stringify({ ...rest, scriptsIn }),
    ];
    const env = { ...process.env, [ENGINE_VARIABLE]: '1' };
    const child = spawn(file, [...args, ...words], { cwd: rest.cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#isReady = false;
    this.#why = '';
    this.#giveUpAfter(START_TIMEOUT_MS, NOT_STARTED);
    // It has ended; `close` says so.
    child.stdin.on('error', () => undefined);
    child.on('error', () => this.#ended(child));
    child.on('close', () => this.#ended(child));
    void this.#listen(child);
  }

  async #listen(child: ChildProcess): Promise<void> {
    for await (const line of linesOf(child.stdout!, Infinity)) {
      const message = JSON.parse(line ?? '{}') as Outcome | { readonly ready: true };
      if (!('ready' in message)) this.#settle(message);
      else {
        this.#isReady = true;
        if (this.#timer !== null) clearTimeout(this.#timer);
        if (this.#running !== null) this.#send();
      }
    }
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    const failure = this.#why || (this.#isReady ? OUT_OF_MEMORY : NOT_STARTED);
    if (this.#running !== null) this.#settle({ failure });
  }
}
