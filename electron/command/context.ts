// What the launcher of a command passes to it besides its words.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface CommandContext {
  /** Of the command line, without the program. */
  readonly words: readonly string[];
  /** Where the person stands: npm runs scripts somewhere else. */
  readonly cwd: string;
  /** The folder of `native.mjs`. */
  readonly scriptsIn: string;
  /** The only folder that packages may be loaded from. */
  readonly packagesIn: string;
  /** The folder of the app's own. */
  readonly profile: string;
  /** Of the app. */
  readonly version: string;
  /** The process that has started it only waits for it. */
  readonly endsWithParent?: true;
}

export interface ThreadContext extends CommandContext {
  /** Two words: 1 while it runs and 2 when it has ended; its exit code. Both are the thread's; main waits for the first. */
  readonly result: SharedArrayBuffer;
}

/** In the profile: where changes of files in place are kept, to be taken back. */
export const HISTORY_FOLDER = 'history-of-files';

/** As Electron's `app.getPath('appData')` and the name of the app say it, where no Electron runs. */
export function defaultProfile(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    win32: APPDATA ?? join(homedir(), 'AppData', 'Roaming'),
    darwin: join(homedir(), 'Library', 'Application Support'),
  };
  return join(folders[process.platform] ?? (XDG_CONFIG_HOME || join(homedir(), '.config')), 'Sidelite');
}
