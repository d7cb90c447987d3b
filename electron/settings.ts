// The few settings main itself remembers between starts.
import * as v from 'valibot';
import { readJson, writeJson } from './json-file.ts';

/** Invalid values in the file count as not chosen: main passes some of them to Electron, which throws on values it does not know. */
const VALUES = {
  theme: v.picklist(['system', 'light', 'dark']),
  lastFolder: v.string(),
  openFiles: v.picklist(['ask', 'copy', 'in-place']),
};

type Values = { readonly [K in keyof typeof VALUES]: v.InferOutput<(typeof VALUES)[K]> };

export interface Settings {
  get<K extends keyof Values>(key: K): Values[K] | undefined;
  set<K extends keyof Values>(key: K, value: Values[K]): void;
}

export function openSettings(storePath: string): Settings {
  const stored = readJson(storePath);
  let values: Readonly<Record<string, unknown>> = v.is(v.record(v.string(), v.unknown()), stored) ? stored : {};
  return {
    get<K extends keyof Values>(key: K): Values[K] | undefined {
      const schema: v.GenericSchema<unknown, Values[K]> = VALUES[key] as never;
      const read = v.safeParse(schema, values[key]);
      return read.success ? read.output : undefined;
    },
    set(key, value) {
      if (values[key] === value) return;
      values = { ...values, [key]: value };
      writeJson(storePath, values);
    },
  };
}
