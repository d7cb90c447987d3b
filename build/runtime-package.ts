// The pinned release that the `electron` package downloads, where the network lets it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOffered, isWorthAnotherTry, noteFailure, readFailure } from './download-again.ts';
import { inRoot, userCache } from './paths.ts';

const NO_PROGRESS_MS = 8_000;
const RELEASES = 'https://github.com/electron/electron/releases/download/';
const PACKAGE = inRoot('node_modules', 'electron');

/** The folder of the unpacked release, or null when it is neither there nor available. */
export async function ensurePackageRuntime(): Promise<string | null> {
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
