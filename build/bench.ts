// `npm run bench`: measures in the real app, without anybody watching; prints a table and writes the result as JSON.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseResult } from '#shared/bench/result.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import type { BenchJobProgress } from '#shared/bench/shell.ts';
import { parseBenchOptions, USAGE, UsageError } from './bench-options.ts';
import type { BenchOptions } from './bench-options.ts';
import { benchTable } from './bench-table.ts';
import { ensureBundle } from './bundle.ts';
import { DIST, ROOT } from './paths.ts';
import { resolveRuntime } from './runtime.ts';
import { hasScreen, openVirtualScreen } from './screen.ts';
import { command, endTogether } from './tool.ts';

/** Emptied by main, before each start. */
const DROP_CACHES = '/proc/sys/vm/drop_caches';

/** A log gets one line per test. */
let lastShown = '';

await command(import.meta, async (args) => {
  let options: BenchOptions;
  try {
    options = parseBenchOptions(args);
    if (options.database !== null && !existsSync(from(options.database))) {
      throw new UsageError(`There is no file ${options.database}`);
    }
    if (options.dropsCaches && !isWritable(DROP_CACHES)) {
      throw new UsageError(`--drop-caches needs root on Linux: ${DROP_CACHES} cannot be written here`);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  const result = await measure(options);
  if (options.json !== null) writeFileSync(from(options.json), `${JSON.stringify(result, null, 1)}\n`);
  console.log(benchTable(result));
  const bad = result.cells.filter(({ status }) => status !== 'ok');
  if (bad.length > 0) console.error(`${bad.length} of ${result.cells.length} cells have no number.`);
  return bad.length > 0 ? 1 : 0;
});

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm runs scripts in the repository's folder; a file is meant from where the user stands. */
function from(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

async function measure({ plan, sql, database, dropsCaches }: BenchOptions): Promise<BenchResult> {
  const [runtime, screen] = await Promise.all([
    resolveRuntime(),
    hasScreen() ? null : openVirtualScreen(),
    ensureBundle(),
  ]);
  mkdirSync(DIST, { recursive: true });
  // Use the disk of the sources: a folder for temporary files may be in memory.
  const folder = mkdtempSync(join(DIST, 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const resultFile = join(folder, 'result.json');
  const jobFile = join(folder, 'job.json');
  const job = { plan, sql, database: database === null ? null : from(database), dropsCaches, resultFile };
  writeFileSync(jobFile, JSON.stringify(job));
  const args = [ROOT, `--user-data-dir=${join(folder, 'profile')}`, `--bench=${jobFile}`];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  await runApp(runtime.executable, args, { ...process.env, ...(screen && { DISPLAY: screen.display }) });
  screen?.close();
  if (!existsSync(resultFile)) throw new Error('The app ended before it had measured everything.');
  const text = readFileSync(resultFile, 'utf8');
  const { failure } = JSON.parse(text) as { readonly failure?: string };
  if (failure !== undefined) throw new Error(failure);
  return parseResult(text);
}

async function runApp(executable: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const app = spawn(executable, args, { env, stdio: ['ignore', 'pipe', process.env['DEBUG'] ? 'inherit' : 'ignore'] });
  endTogether(app);
  createInterface({ input: app.stdout! }).on('line', (line) => {
    if (line.startsWith('bench ')) showProgress(JSON.parse(line.slice('bench '.length)) as BenchJobProgress);
  });
  await new Promise<void>((done, fail) => {
    app.once('error', fail);
    app.once('exit', () => done());
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
}

function showProgress({ text, share, secondsLeft }: BenchJobProgress): void {
  const left = secondsLeft === null ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
  const line = `${Math.floor(share * 100)} % · ${text}${left}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
  else {
    const [test = ''] = text.split(':', 1);
    if (test !== lastShown) console.error(line);
    lastShown = test;
  }
}
