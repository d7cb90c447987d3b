// The few things main itself remembers between starts.
import type { OpenFilesChoice } from '#shared/shell-api.ts';
import { readJson, writeJson } from './json-file.ts';

interface Values {
  readonly theme: 'system' | 'light' | 'dark';
  readonly lastFolder: string;
  readonly openFiles: OpenFilesChoice;
}

export interface Settings {
  get<K extends keyof Values>(key: K): Values[K] | undefined;
  set<K extends keyof Values>(key: K, value: Values[K]): void;
}

export function openSettings(storePath: string): Settings {
  const stored = readJson(storePath);
  let values: Partial<Values> = typeof stored === 'object' && stored !== null ? stored : {};
  return {
    get: (key) => values[key],
    set(key, value) {
      if (values[key] === value) return;
      values = { ...values, [key]: value };
      writeJson(storePath, values);
    },
  };
}
