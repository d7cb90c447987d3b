// The packages of the native engine for the legacy runtime, compiled from their own sources: what they publish needs Node-API 10, and would end
// the process there. Done once for all checkouts, and only where the legacy runtime is used.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EnginePackage } from '../engine-packages.ts';
import { inRoot, userCache } from '../paths.ts';
import { CPP_COMPILER, ensureSystemPackages } from '../system-packages.mjs';

const folderOf = (name: EnginePackage): string => inRoot('node_modules', name);
const SHIM = join(import.meta.dirname, 'primitive-references.h');
const HEADERS = {
  'node-addon-api': inRoot('node_modules', 'node-addon-api'),
  'node-api-headers': inRoot('node_modules', 'node-api-headers'),
} as const;

/** Path of the binary, which may have to be compiled. */
export function legacyAddon(name: EnginePackage): string {
  const version = versionIn(folderOf(name));
  return userCache('runtimes', `${name}-${version}-${recipe(name).fingerprint}`, 'better_sqlite3.node');
}

/** Path of the binary, which is compiled on first use and kept in the user's cache. @throws what is missing */
export async function ensureLegacyAddon(name: EnginePackage): Promise<string> {
  const binary = legacyAddon(name);
  if (existsSync(binary)) return binary;
  const { steps } = recipe(name);
  ensureCompiler();
  console.error(`Compiling ${name} for the legacy runtime (once)`);
  const started = performance.now();
  const folder = dirname(binary);
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    await Promise.all(steps.compile.map((args) => run(args, work)));
    await run(steps.link, work);
    mkdirSync(folder, { recursive: true });
    // Another start may have been quicker; either is as good, and nobody sees a part of one.
    renameSync(join(work, 'better_sqlite3.node'), binary);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.error(`Compiled ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return binary;
}

type Arguments = readonly [program: string, ...args: string[]];

/** Commands, run in a folder for what they make, and a fingerprint of all that the result depends on. */
function recipe(name: EnginePackage): {
  readonly fingerprint: string;
  readonly steps: { readonly compile: readonly Arguments[]; readonly link: Arguments };
} {
  const common = ['-c', '-O2', '-fPIC', '-w'];
  const engine = folderOf(name);
  const sqlite = join(engine, 'deps', 'sqlite3');
  const includes = [HEADERS['node-addon-api'], join(HEADERS['node-api-headers'], 'include'), sqlite, engine].map(
    (folder) => `-I${folder}`,
  );
  const steps = {
    compile: [
      ['gcc', '-std=gnu99', ...common, ...sqliteDefines(engine), join(sqlite, 'sqlite3.c'), '-o', 'sqlite3.o'],
      [
        'g++', '-std=c++20', ...common, '-fvisibility=hidden', '-include', SHIM, ...includes,
        '-DNAPI_VERSION=8', '-DNAPI_DISABLE_CPP_EXCEPTIONS', '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
        join(engine, 'src', 'better_sqlite3.cpp'), '-o', 'addon.o',
      ], // prettier-ignore
    ],
    // As the package links it: its SQLite must not be mixed up with one that the process has already.
    link: [
      'g++', '-shared', '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL', '-o', 'better_sqlite3.node', 'addon.o', 'sqlite3.o',
      '-ldl', '-lpthread', '-lm',
    ], // prettier-ignore
  } as const satisfies { compile: readonly Arguments[]; link: Arguments };
  const hash = createHash('sha256').update(readFileSync(SHIM));
  for (const folder of [engine, ...Object.values(HEADERS)]) hash.update(`${versionIn(folder)}\0`);
  // Wherever the checkout is.
  hash.update(JSON.stringify(steps).replaceAll(JSON.stringify(inRoot()).slice(1, -1), ''));
  return { fingerprint: hash.digest('hex').slice(0, 12), steps };
}

/** The options with which a package compiles its SQLite. */
function sqliteDefines(engine: string): string[] {
  const list = readFileSync(join(engine, 'deps', 'defines.gypi'), 'utf8');
  const names = [...list.matchAll(/^\s*'(\w+(?:=[^']*)?)',$/gm)].map(([, define]) => `-D${define}`);
  if (!names.includes('-DSQLITE_ENABLE_COLUMN_METADATA'))
    throw new Error('The options of better-sqlite3 are unreadable.');
  return names;
}

function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

function ensureCompiler(): void {
  if (process.platform !== 'linux') throw new Error('Versions of Electron before 36 run the app on Linux only.');
  const isThere = (): boolean =>
    (['gcc', 'g++'] as const).every((program) => spawnSync(program, ['--version']).status === 0);
  if (isThere()) return;
  ensureSystemPackages(CPP_COMPILER, 'compile the native engine for the legacy runtime');
  if (isThere()) return;
  throw new Error(
    `The legacy runtime needs a compiler for better-sqlite3: install the package ${CPP_COMPILER.join(', ')}.`,
  );
}

function run([program, ...args]: Arguments, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} could not compile better-sqlite3:\n${said.trim()}`)),
    );
  });
}
