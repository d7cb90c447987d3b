// Runs a command of the command line from its words to its exit code, without a window: in its own process, or in a thread of the app while
// the main thread waits.
import { join, resolve, basename } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';
import { type CommandName, profileIn } from '#shared/command-names.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { removeAbandonedScratch } from '../scratch-folders.ts';
import { runCompletion } from './completion.ts';
import { defaultProfile, HISTORY_FOLDER, type CommandContext, type ThreadContext } from './context.ts';
import { runDiffCommand } from './diff.ts';
import { runDump } from './dump.ts';
import { CommandEngine } from './engine.ts';
import { EXIT, exitCodeOf, type CommandSession, type Outcome } from './session.ts';
import { runExport } from './export.ts';
import { CommandFiles } from './files.ts';
import { runGitSetup } from './git-setup.ts';
import { helpOf } from './help.ts';
import { runImport } from './import.ts';
import { keyOf } from './key.ts';
import { isEngineOfMcp, runMcpEngine, serveMcp } from './mcp.ts';
import { runMerge } from './merge.ts';
import { runQuery } from './query.ts';
import { runSchema } from './schema.ts';
import { BrokenPipe, jsonLine, printText, Teller } from './io.ts';
import { parse, UsageError, type Invocation } from './parse.ts';
import { runScript } from './run.ts';
import type { NativeFile } from '#shared/native-link.ts';
import { forPeople } from '../files/source-file.ts';

// The extensions that a command loads. Whoever runs it has named the files, which is the approval: no list, setting, or file names one here.

/** @throws UsageError */
function extensionsOf({
  options,
  pathOf,
}: Pick<CommandSession, 'options' | 'pathOf'>): Pick<NativeFile, 'extensions' | 'trustsSchema'> {
  const extensions = options.texts('extension').map((name) => {
    if (name === '-') throw new UsageError('An extension is a file, and cannot be standard input.');
    const path = pathOf(name);
    return { id: path, fileName: basename(path), displayPath: forPeople(path), path, sha256: null, why: null };
  });
  const trusts = options.flag('trust-schema') === true;
  if (extensions.length > 0) return { extensions, ...(trusts && { trustsSchema: true }) };
  if (trusts) throw new UsageError('--trust-schema is about functions of extensions. Specify one with --extension.');
  return {};
}

const RUN: Record<CommandName, (session: CommandSession) => Promise<Outcome>> = {
  import: runImport,
  export: runExport,
  run: runScript,
  query: runQuery,
  schema: runSchema,
  dump: runDump,
  diff: runDiffCommand,
  merge: runMerge,
  'git-setup': runGitSetup,
  mcp: runMcpEngine,
  completion: runCompletion,
};

const LOCK_TIMEOUT_S = 10;

/** Returns the exit code. Never rejects. */
async function runCommandLine(context: CommandContext, signal: AbortSignal): Promise<number> {
  const parsed = parse(context.words);
  try {
    if (parsed.kind === 'version') await printText(`Sidelite ${context.version}\n`);
    else if (parsed.kind === 'help') await printText(helpOf(parsed.command));
    else if (parsed.kind === 'wrong') throw new UsageError(parsed.message);
    else if (parsed.command.name === 'mcp' && !isEngineOfMcp()) return await serveMcp(context, parsed, signal);
    else return await runCommand(context, parsed, signal);
    return EXIT.done;
  } catch (thrown) {
    return await report(thrown, new Teller(false), false, null);
  }
}

async function runCommand(
  { cwd, packagesIn, profile, program, scriptsIn }: CommandContext,
  { command, operands, options }: Invocation,
  signal: AbortSignal,
): Promise<number> {
  const tell = new Teller(options.flag('progress') === true);
  const json = options.flag('json') === true;
  const files = new CommandFiles(signal);
  const removing = removeAbandonedScratch(() => undefined);
  let engine: CommandEngine | null = null;
  try {
    const lockTimeoutMs = 1000 * options.count('wait', LOCK_TIMEOUT_S);
    const pathOf = (name: string): string => (name === '-' ? name : resolve(cwd, name));
    const loaded = extensionsOf({ options, pathOf });
    const key = await keyOf(options, { pathOf, signal });
    if (key !== null) files.keepInMemory();
    engine = new CommandEngine({
      thread: {
        packagesIn,
        historyFolder: join(profile, HISTORY_FOLDER),
        command: { lockTimeoutMs, ...(key !== null && { key }) },
      },
      scriptsIn,
      files,
      signal,
      loaded,
    });
    const outcome = await RUN[command.name]({ operands, options, engine, files, tell, signal, cwd, program, pathOf });
    if (json && outcome.summary) await printText(jsonLine({ ok: true, command: command.name, ...outcome.summary }));
    return outcome.exitCode;
  } catch (thrown) {
    return files.isPipeBroken ? EXIT.brokenPipe : await report(thrown, tell, json, command.name);
  } finally {
    await files.end();
    await engine?.end();
    await removing;
  }
}

/** Returns the exit code. */
async function report(thrown: unknown, tell: Teller, json: boolean, command: CommandName | null): Promise<number> {
  // A reader that has seen enough, as `head` has, needs no message.
  if (thrown instanceof BrokenPipe) return EXIT.brokenPipe;
  const isUsage = thrown instanceof UsageError;
  const error = toAppError(thrown);
  const exitCode = isUsage ? EXIT.usage : exitCodeOf(error, command);
  const message = isUsage ? thrown.message : error.message;
  tell.say(`sidelite: ${message}`);
  const summary = { ok: false, exitCode, code: isUsage ? 'usage' : error.code, message };
  if (json) await printText(jsonLine(summary)).catch(() => undefined);
  return exitCode;
}

const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
/** A statement that cannot be interrupted ends with the process; the next program to open the file rolls back its changes. */
const STOP_TIMEOUT_MS = 3000;
/** A process that forwards signals does so at once; a user who wants to end it now takes longer to press Ctrl+C again. */
const SAME_SIGNAL_MS = 500;

async function runProcess(): Promise<void> {
  const [given = '{}', ...words] = process.argv.slice(2);
  // Failed unless the command reaches its end.
  process.exitCode = EXIT.failed;
  const context = JSON.parse(given) as Omit<CommandContext, 'words' | 'profile'>;
  const named = profileIn(words);
  const profile = named === undefined ? defaultProfile() : resolve(context.cwd, named);
  const stopping = new AbortController();
  let signalled: number | null = null;
  let signalledAtMs = 0;
  const stop = (signal: keyof typeof SIGNALS): void => {
    const die = (): void => {
      process.removeAllListeners(signal);
      // Do not use `process.exit`, which waits for the engine's thread.
      process.kill(process.pid, signal);
    };
    if (signalled !== null) return performance.now() - signalledAtMs < SAME_SIGNAL_MS ? undefined : die();
    signalled = SIGNALS[signal];
    signalledAtMs = performance.now();
    stopping.abort();
    setTimeout(die, STOP_TIMEOUT_MS).unref();
  };
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process.on(signal, () => stop(signal));
  const exitCode = await runCommandLine({ ...context, profile, words }, stopping.signal);
  process.exit(signalled !== null && exitCode === EXIT.stopped ? 128 + signalled : exitCode);
}

/** The main thread waits, and is woken with the exit code. */
async function runThread({ result, ...context }: ThreadContext): Promise<void> {
  const state = new Int32Array(result);
  const tell = (stage: 1 | 2): void => {
    Atomics.store(state, 0, stage);
    Atomics.notify(state, 0);
  };
  const end = (exitCode: number): void => {
    Atomics.store(state, 1, exitCode);
    tell(2);
  };
  // Otherwise the main thread would wait forever.
  process.on('uncaughtException', (error) => void report(error, new Teller(false), false, null).then(end));
  tell(1);
  end(await runCommandLine(context, new AbortController().signal));
}

void (isMainThread ? runProcess() : runThread(workerData as ThreadContext));
