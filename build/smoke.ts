// The packaged program itself must start, open a database file as a copy and in place, paint its rows and end, run commands; and it must be closed to
// what others try with it.
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StartReport } from '#shared/bench/shell.ts';
import { PACKAGE_OUTPUT, packagesIn, builderConfig } from './builder.config.ts';
import { ensureBundle } from './bundle.ts';
import { ENGINE_PACKAGES } from './engine-packages.ts';
import { add, one, type Counts } from './counts.ts';
import { LEGACY_NATIVE } from './native-entries.ts';
import { hasArchiveHash, wrongInArchive } from './packaged/archive.ts';
import { assertNothingChangedRuns } from './packaged/changed-files.ts';
import { nativeAddons, nodePrograms, otherAddons, packagesWithoutNotice } from './packaged/contents.ts';
import { wrongFuses } from './packaged/fuses.ts';
import { assertNothingPlantedRuns } from './packaged/hostile.ts';
import { wrongInLinuxInstallers } from './packaged/linux-installers.ts';
import { AS_ROOT, isRoot, ordinaryUser, orderProgram, runProgram, type Run } from './packaged/run.ts';
import { DIST, inRoot } from './paths.ts';
import { resolveRuntime, describeRuntime } from './runtime.ts';
import { openVirtualScreen } from './screen.ts';
import { fingerprint, isFresh, writeStamp } from './stamp.ts';

const ARCHIVE_HASH_SINCE = 30;
/** The name of the addons in the app, one of each package. */
const ADDON = `${process.platform}-${process.arch}.node`;
const IS_MAC = process.platform === 'darwin';

const SECCOMP_FILTER = 2;
/** Ends at once where it is carried out. */
const IDLE_JOB = { plan: { suites: [], engines: [], rounds: 1 }, sql: null, database: null, dropsCaches: false };

interface Check {
  readonly title: string;
  /** @throws why it fails */
  run(): Promise<void> | void;
}

/** Opens the database with a profile of that name. */
type Start = (name: string, way: string, args: readonly string[], run?: Run) => Promise<StartReport>;

/** Shows each check's outcome. */
export async function runSmokeTest(): Promise<Counts> {
  const program = await ensurePackagedApp();
  const work = mkdtempSync(join(tmpdir(), 'sidelite-smoke-'));
  const screen = process.platform === 'linux' ? await openVirtualScreen() : null;
  const env = screen === null ? {} : { DISPLAY: screen.display, WAYLAND_DISPLAY: '' };
  let counts: Counts = { passed: 0, failed: 0 };
  try {
    for (const { title, run } of [...startChecks(program, work, env), ...(await contentChecks(program))]) {
      const failure = await outcome(run);
      console.log(`${failure === null ? 'ok    ' : 'FAILED'} ${title}${failure === null ? '' : `\n${failure}`}`);
      counts = add(counts, one(failure === null));
    }
  } finally {
    screen?.close();
    rmSync(work, { recursive: true, force: true });
  }
  return counts;
}

async function outcome(run: Check['run']): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function startChecks(program: string, work: string, env: NodeJS.ProcessEnv): readonly Check[] {
  const database = join(work, 'smoke.sqlite');
  writeDatabase(database);
  const start: Start = (name, way, args, run = {}) =>
    openDatabase(program, { profile: join(work, name), way, database, args }, { ...run, env: { ...env, ...run.env } });
  return [
    {
      title: 'opens a database as a copy',
      run: async () => assertWarning(await start('copy', 'copy', AS_ROOT), isRoot ? 'running as root' : null),
    },
    { title: 'opens a database in place', run: async () => void (await start('in-place', 'in-place', AS_ROOT)) },
    {
      title: 'runs nothing that others have planted around it',
      run: () => assertNothingPlantedRuns({ program, above: PACKAGE_OUTPUT }, work, env),
    },
    { title: 'runs commands without a display', run: () => assertCommands(program, work, database) },
    {
      title: 'runs none of its files that have been changed, and says so',
      run: () => assertNothingChangedRuns({ program, resources: resourcesOf(program) }, join(work, 'changed'), env),
    },
    {
      title: 'measures nothing because a word of its command line says so',
      async run() {
        const [job, resultFile] = [join(work, 'job.json'), join(work, 'result.json')];
        writeFileSync(job, JSON.stringify({ ...IDLE_JOB, resultFile }));
        await start('switches', 'copy', [...AS_ROOT, `--bench=${job}`, `--started=${resultFile}`, '--smoke']);
        if (existsSync(resultFile)) throw new Error(readFileSync(resultFile, 'utf8'));
      },
    },
    ...sandboxChecks(program, work, start),
  ];
}

/** Those that take a sandbox, which root has not. */
function sandboxChecks(program: string, work: string, start: Start): readonly Check[] {
  const user = ordinaryUser(program);
  if (user === null) {
    console.log('Not tried: a start with a sandbox; only root can run the app here, or has user namespaces');
    return [];
  }
  const home = join(work, 'home');
  mkdirSync(home);
  for (const folder of [work, home]) if (user.user !== undefined) chownSync(folder, user.user, user.user);
  const ordinary = { ...user, env: { HOME: home } };
  const without = { ...user, env: { HOME: home, ELECTRON_DISABLE_SANDBOX: '1' } };
  return [
    {
      title: 'has its pages in a sandbox, and no warning',
      async run() {
        const { warning, seccomp } = await start('sandboxed', 'copy', [], ordinary);
        assertWarning({ warning }, null);
        if (process.platform !== 'linux') return;
        // The window and the host page.
        if (seccomp.length < 2 || seccomp.some((mode) => mode !== SECCOMP_FILTER))
          throw new Error(`Pages without a filter of system calls: ${seccomp.join(', ')}`);
      },
    },
    {
      title: 'warns when it was started without a sandbox',
      run: async () => assertWarning(await start('switch', 'copy', ['--no-sandbox'], ordinary), '--no-sandbox'),
    },
    {
      title: 'warns when a variable has taken the sandbox away',
      run: async () => assertWarning(await start('variable', 'copy', [], without), '--no-sandbox'),
    },
  ];
}

async function contentChecks(program: string): Promise<readonly Check[]> {
  const runtime = await resolveRuntime();
  const resources = resourcesOf(program);
  const archive = join(resources, 'app.asar');
  const none = (wrong: readonly string[]): void => {
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  };
  const checks: Check[] = [
    { title: 'has the fuses it should have', run: () => none(wrongFuses(fusesIn(program))) },
    { title: 'has an archive that is what its hashes say', run: () => none(wrongInArchive(archive)) },
    { title: 'has a notice for every package in it', run: () => none(packagesWithoutNotice(resources)) },
    {
      title: 'has the native addons of this system alone',
      run: () => none(nativeAddons(resources).filter((name) => name !== ADDON)),
    },
    {
      title: 'has the native addons that its Electron loads',
      run: () =>
        none(
          otherAddons(
            resources,
            ENGINE_PACKAGES.map((name) => join(packagesIn(runtime), name, 'prebuilds', ADDON)),
          ),
        ),
    },
    { title: 'has no Node beside Electron', run: () => none(nodePrograms(resources)) },
  ];
  if (IS_MAC || (process.platform === 'win32' && Number.parseInt(runtime.version, 10) >= ARCHIVE_HASH_SINCE))
    checks.push({
      title: 'expects its own archive',
      run: () =>
        none(hasArchiveHash(IS_MAC ? join(dirname(resources), 'Info.plist') : program, archive) ? [] : [archive]),
    });
  if (process.platform === 'linux')
    checks.push({
      title: 'is started with its sandbox by what installs it',
      run: async () => none(await wrongInLinuxInstallers(program, runtime)),
    });
  return checks;
}

function resourcesOf(program: string): string {
  return IS_MAC ? join(dirname(program), '..', 'Resources') : join(dirname(program), 'resources');
}

/** On macOS the program only loads the framework that they are in. */
function fusesIn(program: string): string {
  return IS_MAC
    ? join(dirname(program), '..', 'Frameworks', 'Electron Framework.framework', 'Electron Framework')
    : program;
}

function assertWarning({ warning }: Pick<StartReport, 'warning'>, part: string | null): void {
  const isRight = part === null ? warning === null : warning?.includes(part) === true;
  if (!isRight) throw new Error(`The window says ${warning === null ? 'nothing' : `“${warning}”`} about its sandbox`);
}

/** Checks that rows go in and come out, and that Chromium is not started for it. */
async function assertCommands(program: string, work: string, database: string): Promise<void> {
  const profile = join(work, 'commands');
  const run = (...words: string[]): Promise<string> =>
    runProgram(program, [`--user-data-dir=${profile}`, ...AS_ROOT, ...words], {
      env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
    });
  const assertSays = (said: string, wanted: RegExp): void => {
    if (!wanted.test(said)) throw new Error(`It did not say ${String(wanted)}:\n${said}`);
  };
  assertSays(await run('--version'), /^Sidelite \d+\.\d+\.\d+$/m);
  const csv = join(work, 'planets.csv');
  assertSays(await run('export', database, '--table', 'planet', '-o', csv, '--json'), /"rows":4/);
  assertSays(await run('import', csv, '--into', join(work, 'commands.sqlite'), '--json'), /"added":4/);
  if (existsSync(join(profile, 'Preferences'))) throw new Error('Chromium was started for a command');
}

interface Opened {
  readonly profile: string;
  readonly way: string;
  readonly database: string;
  readonly args: readonly string[];
}

/** Opens it as a user who has already chosen what opening a file means. */
async function openDatabase(program: string, { profile, way, database, args }: Opened, run: Run): Promise<StartReport> {
  mkdirSync(profile);
  writeFileSync(join(profile, 'settings.json'), JSON.stringify({ openFiles: way }));
  if (run.user !== undefined) chownSync(profile, run.user, run.user);
  const started = { args: [`--user-data-dir=${profile}`, ...args, database], reply: 'started' } as const;
  return (await orderProgram(program, { ...started, order: { order: 'report-start' } }, run)).start;
}

function writeDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE planet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, moons INTEGER);
    INSERT INTO planet (name, moons) VALUES ('Mercury', 0), ('Venus', 0), ('Earth', 1), ('Mars', 2);
  `);
  database.close();
}

// The unpacked app in out/, rebuilt when the bundle, the runtime or the recipe changed.

/** Paths where electron-builder puts the program of each system. */
const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux-unpacked/sidelite',
  darwin:
    process.arch === 'arm64'
      ? 'mac-arm64/Sidelite.app/Contents/MacOS/Sidelite'
      : 'mac/Sidelite.app/Contents/MacOS/Sidelite',
  win32: 'win-unpacked/Sidelite.exe',
};

/** The path of the packaged program. */
async function ensurePackagedApp(): Promise<string> {
  const program = join(PACKAGE_OUTPUT, PROGRAMS[process.platform] ?? '');
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  const stamp = join(PACKAGE_OUTPUT, '.package-stamp');
  const parts = [
    join(DIST, 'app'),
    join(DIST, 'electron'),
    join(DIST, 'native'),
    join(DIST, LEGACY_NATIVE),
    inRoot('package.json'),
    inRoot('build', 'builder.config.ts'),
    inRoot('build', 'debian-script.ts'),
    inRoot('build', 'native-files.ts'),
    inRoot('build', 'entitlements.mac.plist'),
  ];
  const now = `${describeRuntime(runtime)} ${fingerprint(parts)}`;
  if (existsSync(program) && isFresh(stamp, now)) return program;
  console.log(`Packaging with ${describeRuntime(runtime)}`);
  const { build, Platform } = await import('electron-builder');
  const targets = Platform.current().createTarget('dir');
  await build({ projectDir: inRoot(), targets, config: builderConfig(runtime), publish: 'never' });
  writeStamp(stamp, now);
  return program;
}
