// The settings: one file in the profile that people may edit and copy to another machine. Main alone writes it, for all windows.
import { copyFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { SettingValues } from '#shared/settings/definitions.ts';
import { changedSettings, parseSettings, readSettings, settingsText } from '#shared/settings/read-settings.ts';
import type { ChosenSettings, SettingsState } from '#shared/settings/read-settings.ts';
import { readText, writeText } from './json-file.ts';

/** What is larger is cut, and so no JSON. */
export const MAX_SETTINGS_BYTES = 1_000_000;
/** Editors save in several steps. */
const READ_AFTER_MS = 100;

export class Settings {
  readonly #path: string;
  readonly #listeners: (() => void)[] = [];
  /** Text as last read or written; null if there is no file. */
  #text: string | null = null;
  #state: SettingsState = { chosen: {}, problem: null };
  #values: SettingValues = readSettings({}).values;

  constructor(path: string) {
    this.#path = path;
    this.#read();
  }

  get state(): SettingsState {
    return this.#state;
  }

  get path(): string {
    return this.#path;
  }

  get<K extends keyof SettingValues>(key: K): SettingValues[K] {
    return this.#values[key];
  }

  /** Called after each change, whoever made it. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @param change null takes a setting back to its default. @throws Error if a value may not be chosen, or the file would be too large */
  change(change: ChosenSettings): void {
    // A change saved by hand a moment ago may not have been noticed yet.
    this.readAgain();
    const next = changedSettings(this.#state.chosen, change);
    if (typeof next === 'string') throw new Error(next);
    if (!this.#keep(next)) throw new Error('settings.json would be larger than 1 MB.');
  }

  /** Replaces what is chosen by the contents of another settings file. Null: the text is no such file, and nothing was changed. */
  replace(text: string): SettingsState | null {
    const chosen = parseSettings(text);
    return chosen && this.#keep(chosen) ? this.#state : null;
  }

  /** Takes over what others write into the file, from now on. Returns a function that ends this. */
  follow(): () => void {
    let timer: NodeJS.Timeout | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => this.readAgain(), READ_AFTER_MS);
    };
    try {
      // The folder, because a watch on the file ends when it is replaced.
      const name = basename(this.#path);
      const watcher = watch(dirname(this.#path), { persistent: false }, (_event, file) => file === name && soon());
      watcher.on('error', () => watcher.close());
      return () => {
        clearTimeout(timer);
        watcher.close();
      };
    } catch {
      return () => undefined; // The file is read again when a window gets the focus.
    }
  }

  readAgain(): void {
    if (this.#read()) this.#tell();
  }

  /** Returns whether the file has changed. */
  #read(): boolean {
    let text: string | null = null;
    try {
      text = readText(this.#path, MAX_SETTINGS_BYTES);
    } catch (error) {
      // Without a file everything is at its default. A file that cannot be read right now, such as one locked by an editor, is as before.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && this.#text !== null) return false;
    }
    if (text === this.#text) return false;
    this.#text = text;
    const chosen = text === null || text.trim() === '' ? {} : parseSettings(text);
    this.#take({ chosen: chosen ?? {}, problem: chosen === null ? NOT_JSON : null });
    return true;
  }

  /** Returns false, and changes nothing, if the file could not be read again: lines and blanks make it several times as large as what was imported. */
  #keep(chosen: ChosenSettings): boolean {
    const text = settingsText(chosen);
    if (Buffer.byteLength(text) > MAX_SETTINGS_BYTES) return false;
    if (this.#state.problem !== null) this.#keepBroken();
    this.#text = text;
    writeText(this.#path, text);
    this.#take({ chosen, problem: null });
    this.#tell();
    return true;
  }

  /** A missing comma must not cost what someone has typed. */
  #keepBroken(): void {
    try {
      copyFileSync(this.#path, this.#path.replace(/(\.json)?$/, '.broken.json'));
    } catch {
      // A full disk does not keep the setting from being changed.
    }
  }

  #take(state: SettingsState): void {
    this.#state = state;
    this.#values = readSettings(state.chosen).values;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const NOT_JSON =
  'settings.json is not a JSON object, so the defaults are used. The file was not changed. Correct it, or change a setting here; the old file is then kept as settings.broken.json.';
