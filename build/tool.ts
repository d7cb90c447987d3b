// Runs one of the tools in node_modules, and the commands of build/ so that an expected failure is one sentence, not a stack.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { inRoot, ROOT } from './paths.ts';

/** Each tool, and the package that contains its script. */
const PACKAGES = {
  knip: 'knip',
  oxfmt: 'oxfmt',
  oxlint: 'oxlint',
  playwright: '@playwright/test',
  tsc: 'typescript',
  vitest: 'vitest',
} as const;

export type Tool = keyof typeof PACKAGES;

/**
 * The script behind a tool's name. `node_modules/.bin` contains symbolic links on Linux and macOS but batch files on Windows, which cannot
 * be started without a shell; the script itself runs the same way everywhere.
 */
export function scriptOf(tool: Tool): string {
  const folder = inRoot('node_modules', PACKAGES[tool]);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Readonly<Record<string, string>>;
  };
  const script = typeof bin === 'string' ? bin : bin[tool];
  if (script === undefined) throw new Error(`The package ${PACKAGES[tool]} has no command “${tool}”.`);
  return join(folder, script);
}

/** Runs a tool, or a script if the name is `node`, on the Node that runs us, with its output shown; resolves to its exit code. */
export function runTool(name: Tool | 'node', args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const tool = spawn(process.execPath, [...(name === 'node' ? [] : [scriptOf(name)]), ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: path, ...env },
    stdio: 'inherit',
  });
  endTogether(tool);
  return new Promise((resolve, reject) => {
    tool.once('error', (error) => reject(new Error(`Could not run ${name}: ${error.message}`)));
    tool.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * A signal to us ends the child first; our own end then takes down what hangs on it, such as a virtual screen. Windows has no signals:
 * Ctrl+C reaches every process of the console, and `kill` would end the child before it has saved anything.
 */
export function endTogether(child: ChildProcess): void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals): void => {
    child.once('exit', (code) => process.exit(code || 1));
    if (process.platform !== 'win32') child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  child.once('exit', () => {
    for (const signal of signals) process.off(signal, pass);
  });
}

/** Runs a command's body when its file is what Node was started with; the body gives the exit code, and its end is the end. */
export async function command(
  meta: ImportMeta,
  body: (args: readonly string[]) => Promise<number | void>,
): Promise<void> {
  if (!meta.main) return;
  try {
    // Said outright: the packager installs an exit hook that would turn any exit code into 0.
    process.exit((await body(process.argv.slice(2))) ?? 0);
  } catch (error) {
    console.error(process.env['DEBUG'] ? error : `Failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
