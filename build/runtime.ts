// Chooses the Electron that runs the app: the one asked for, the product's own, or the legacy runtime where that cannot be downloaded.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLegacyNative } from './legacy/native.ts';
import { ensureLegacyRuntime } from './runtime-legacy.ts';
import { ensurePackageRuntime } from './runtime-package.ts';

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
