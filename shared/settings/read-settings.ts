// Reads settings from values of any version or hand, and says of each bad one what is used instead.
import * as v from 'valibot';
import { isDeeperThan } from '../nesting.ts';
import { readAccelerator } from './accelerators.ts';
import { SETTINGS } from './definitions.ts';
import type { ChosenKeys, Setting, SettingKey, SettingValues } from './definitions.ts';
import { whyNotKeyOf } from './key-bindings.ts';

/** Content of the file, as it is: settings that differ from their defaults, and whatever else someone wrote there. */
export type ChosenSettings = Readonly<Record<string, unknown>>;

interface SettingProblem {
  /** The key as it is in the file. */
  readonly key: string;
  /** The problem and what is used instead, as sentences. */
  readonly message: string;
}

export interface ReadSettings {
  readonly values: SettingValues;
  readonly problems: readonly SettingProblem[];
}

/** The settings as the file or a page states them; the file itself cannot be read if there is a `problem`. */
export interface SettingsState {
  readonly chosen: ChosenSettings;
  readonly problem: string | null;
}

const RECORD = v.record(v.string(), v.unknown());
const KEYS = v.array(v.string());
/** A key map that is larger was not made by a person. */
const MAX_KEYS_OF_COMMAND = 8;
/** More than any version has. */
const MAX_DEPTH = 20;

const entriesOf = Object.entries(SETTINGS) as readonly (readonly [SettingKey, Setting])[];

/** The object in a settings file; null if the text is something else. */
export function parseSettings(text: string): ChosenSettings | null {
  try {
    // Some editors on Windows begin a file with a byte order mark, which JSON does not allow.
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return v.is(RECORD, parsed) && !Array.isArray(parsed) && !isDeeperThan(MAX_DEPTH, parsed) ? parsed : null;
  } catch {
    return null;
  }
}

export function readSettings(chosen: ChosenSettings): ReadSettings {
  const problems: SettingProblem[] = [];
  const values = Object.fromEntries(
    entriesOf.map(([key, setting]) => {
      const value = chosen[key];
      const why = value === undefined ? null : whyInvalid(setting, value);
      if (why !== null)
        problems.push({
          key,
          message: `“${key}” is ${asText(value)}, but ${why} The default, ${asText(setting.initial)}, is used.`,
        });
      return [key, why === null && value !== undefined ? value : setting.initial];
    }),
  );
  const keys = readKeys(chosen['keys'], problems);
  return { values: { ...values, keys } as unknown as SettingValues, problems };
}

/** Requirement for the value, as the rest of a sentence; null if it may be chosen. */
export function whyInvalid(setting: Setting, value: unknown): string | null {
  switch (setting.kind) {
    case 'flag':
      return typeof value === 'boolean' ? null : 'it must be true or false.';
    case 'choice':
      return setting.options.some(([option]) => option === value)
        ? null
        : `it must be one of ${setting.options.map(([option]) => asText(option)).join(', ')}.`;
    case 'number':
      return isNumberOf(setting, value)
        ? null
        : `it must be a ${setting.fraction ? '' : 'whole '}number from ${setting.least} to ${setting.most}.`;
    case 'text':
      if (typeof value !== 'string' || value.length > setting.maxChars)
        return `it must be text of at most ${setting.maxChars} characters.`;
      return setting.pattern && !setting.pattern.test(value) ? `${lowerFirst(setting.allowed ?? '')}.` : null;
  }
}

function isNumberOf({ least, most, fraction = 1 }: Setting & { kind: 'number' }, value: unknown): boolean {
  return typeof value === 'number' && value >= least && value <= most && Number.isInteger(value / fraction);
}

/** Commands this version does not know are left alone: another version may. */
function readKeys(value: unknown, problems: SettingProblem[]): ChosenKeys {
  if (value === undefined) return {};
  if (!v.is(RECORD, value) || Array.isArray(value)) {
    problems.push({
      key: 'keys',
      message: '“keys” must be an object of commands and their keys. The default keys are used.',
    });
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([command, keys]) => {
      const list = v.is(KEYS, keys) && keys.length <= MAX_KEYS_OF_COMMAND ? keys.map(readAccelerator) : [null];
      const reserved = list.map((key) => key !== null && whyNotKeyOf(command, key)).find(Boolean);
      if (!list.includes(null) && !reserved) return [[command, list as readonly string[]]];
      const why = list.includes(null)
        ? 'they must be a list such as ["CmdOrCtrl+Shift+T"].'
        : `one of them cannot be used. ${reserved}`;
      problems.push({
        key: `keys.${command}`,
        message: `The keys of “${command}” are ${asText(keys)}, but ${why} Its default keys are used.`,
      });
      return [];
    }),
  );
}

const OF_COMMAND = 'keys.';

/**
 * Choices after a change.
 * @param change null resets a setting to its default; `keys.` and the id of a command are the keys of this command alone, so that two
 *   windows can each change others
 * @returns a sentence instead if a value may not be chosen
 */
export function changedSettings(chosen: ChosenSettings, change: ChosenSettings): ChosenSettings | string {
  const next: Record<string, unknown> = { ...chosen };
  for (const [key, value] of Object.entries(change)) {
    const problem = value === null ? null : whyNot(key, value);
    if (problem !== null) return problem;
    if (key.startsWith(OF_COMMAND)) setKeysOf(next, key.slice(OF_COMMAND.length), value);
    else if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}

function setKeysOf(next: Record<string, unknown>, command: string, value: unknown): void {
  const before = Object.entries(v.is(RECORD, next['keys']) && !Array.isArray(next['keys']) ? next['keys'] : {});
  const others = before.filter(([id]) => id !== command);
  const keys = value === null ? others : [...others, [command, value] as const];
  if (keys.length > 0) next['keys'] = Object.fromEntries(keys);
  else delete next['keys'];
}

function whyNot(key: string, value: unknown): string | null {
  if (key.startsWith(OF_COMMAND)) return whyNot('keys', { [key.slice(OF_COMMAND.length)]: value });
  if (key === 'keys') return readSettings({ keys: value }).problems[0]?.message ?? null;
  const setting = (SETTINGS as Readonly<Record<string, Setting>>)[key];
  if (!Object.hasOwn(SETTINGS, key) || !setting) return `There is no setting “${key}”.`;
  const why = whyInvalid(setting, value);
  return why === null ? null : `“${key}” cannot be ${asText(value)}: ${why}`;
}

/** Readable, in the order of the page, and then what is not known here. */
export function settingsText(chosen: ChosenSettings): string {
  const known = [...Object.keys(SETTINGS), 'keys'].filter((key) => chosen[key] !== undefined);
  const others = Object.keys(chosen).filter((key) => !known.includes(key));
  return `${JSON.stringify(Object.fromEntries([...known, ...others].map((key) => [key, chosen[key]])), null, 2)}\n`;
}

/** Change that makes `before` of `now`, of the settings this version knows. */
export function changeBack(before: ChosenSettings, now: ChosenSettings): ChosenSettings {
  return Object.fromEntries(
    [...Object.keys(SETTINGS), 'keys']
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]))
      .map((key) => [key, before[key] !== undefined && whyNot(key, before[key]) === null ? before[key] : null]),
  );
}

const MAX_SHOWN = 40;

function asText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
