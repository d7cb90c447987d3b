// Context that the launcher of a command passes to it besides its words.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface CommandContext {
  /** The command line without the program. */
  readonly words: readonly string[];
  /** The user's working directory: npm runs scripts in another one. */
  readonly cwd: string;
  /** The folder of `native.mjs`. */
  readonly scriptsIn: string;
  /** The only folder that packages may be loaded from. */
  readonly packagesIn: string;
  /** The app's own profile folder. */
  readonly profile: string;
  /** The words with which other programs start Sidelite; without it, that is `sidelite`. */
  readonly program?: readonly string[];
  /** Version of the app. */
  readonly version: string;
}

export interface ThreadContext extends CommandContext {
  /** Two words: 1 while the thread runs and 2 when it has ended; its exit code. The thread writes both; main waits for the first. */
  readonly result: SharedArrayBuffer;
}

/** Folder in the profile that holds the undo histories of files in place. */
export const HISTORY_FOLDER = 'history-of-files';

/** The same path as Electron's `app.getPath('appData')` and the app's name, for use without Electron. */
export function defaultProfile(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    win32: APPDATA ?? join(homedir(), 'AppData', 'Roaming'),
    darwin: join(homedir(), 'Library', 'Application Support'),
  };
  return join(folders[process.platform] ?? (XDG_CONFIG_HOME || join(homedir(), '.config')), 'Sidelite');
}
