// `sidelite mcp`: a guarded door to databases for AI assistants, over the Model Context Protocol. Two processes: this one answers and keeps
// time, and starts the other, which has the databases open and is ended when a call takes too long.
import { resolve } from 'node:path';
import { toAppError } from '#shared/protocol/errors.ts';
import type { CommandContext } from './context.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { jsonLine, printText } from './io.ts';
import { AppLink } from './mcp/app-link.ts';
import { Calls } from './mcp/calls.ts';
import { EngineProcess, ENGINE_VARIABLE } from './mcp/engine-process.ts';
import { linesOf, standardInput } from './mcp/lines.ts';
import { McpServer } from './mcp/server.ts';
import { mcpSettings } from './mcp/settings.ts';
import type { EngineCall, ToolArguments } from './mcp/tools.ts';
import type { Invocation } from './parse.ts';

/** What a statement may take before its process is ended: SQLite's own limit is not compiled in. */
const MOST_MEMORY_BYTES = 1 << 30;
const WATCH_EVERY_MS = 100;
const END_TIMEOUT_MS = 1000;

export const isEngineOfMcp = (): boolean => process.env[ENGINE_VARIABLE] === '1';

/** Returns the exit code. @throws UsageError, BrokenPipe */
export async function serveMcp(
  context: CommandContext,
  { options, operands }: Invocation,
  signal: AbortSignal,
): Promise<number> {
  const settings = mcpSettings(options, operands, (name) => resolve(context.cwd, name));
  const engine = new EngineProcess(context, settings.limitMs);
  const app = new AppLink(context.profile, [...settings.databases.values()]);
  const input = standardInput();
  signal.addEventListener('abort', () => input.destroy());
  try {
    await new McpServer({ context, settings, engine, app }).serve(input);
    return EXIT.done;
  } catch (thrown) {
    if (signal.aborted) return EXIT.stopped;
    throw thrown;
  } finally {
    await Promise.all([engine.end(), app.close()]);
  }
}

/** The other process: a call on each line of its input, its outcome on each line of its output. */
export async function runMcpEngine(session: CommandSession): Promise<Outcome> {
  const calls = new Calls(session, mcpSettings(session.options, session.operands, session.pathOf));
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > MOST_MEMORY_BYTES) endNow();
  }, WATCH_EVERY_MS);
  // The start of the engine's thread is not part of the first call.
  await session.engine.client.call('export.formats', {});
  await printText(jsonLine({ ready: true }));
  const answer = async (line: string | null): Promise<void> => {
    const { tool, args } = JSON.parse(line ?? '{}') as { readonly tool: EngineCall; readonly args: ToolArguments };
    const outcome = await calls.run(tool, args).then(
      (value) => ({ value }),
      (thrown: unknown) => ({ failure: toAppError(thrown).message }),
    );
    await printText(jsonLine(outcome));
  };
  // The end of the input is heard in the middle of a call, too: the other process is gone then.
  let last = Promise.resolve();
  for await (const line of linesOf(standardInput(), Infinity)) last = last.then(() => answer(line));
  setTimeout(endNow, END_TIMEOUT_MS).unref();
  await last;
  clearInterval(watch);
  return { exitCode: EXIT.done, summary: null };
}

/** The engine's thread may be in a statement that nothing else ends. */
const endNow = (): void => void process.kill(process.pid, 'SIGKILL');
