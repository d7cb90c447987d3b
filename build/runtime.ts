// Chooses the Electron that runs the app: the one asked for, the product's own, or the legacy runtime where that cannot be downloaded.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  if (override) return runtimeIn(override, 'override');
  const own = await ensurePackageRuntime();
  if (own) return runtimeIn(own, 'package');
  return runtimeIn(ensureLegacyRuntime(), 'legacy');
}

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
