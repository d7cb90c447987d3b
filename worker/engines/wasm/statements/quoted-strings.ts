// Views and triggers of other programs may have texts in double quotes (sqlite.org/quirks.html#dblquote), which SQLite accepts while DQS_DML
// is on. The statements that use such a view are not allowed to: a misspelled column would silently become a text.
import { toAppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import { DbConfig, type Pointer } from '../runtime/raw.ts';
import { skipBlank } from './sql-text.ts';

const DOUBLE_QUOTE = 0x22;
const BACKTICK = 0x60;
const SEMICOLON = 0x3b;
const SPACE = 0x20;
/** What ends a text or a name, by the byte that begins it. */
const CLOSING: Readonly<Record<number, number>> = { 0x22: 0x22, 0x27: 0x27, 0x5b: 0x5d, 0x60: 0x60 };

export class QuotedStrings {
  readonly #sqlite: Sqlite;
  readonly #db: Pointer;
  #isOn = false;
  #isForbidden = false;

  constructor(sqlite: Sqlite, db: Pointer) {
    this.#sqlite = sqlite;
    this.#db = db;
  }

  /** The schema needs such texts. They stay allowed between prepares, because PRAGMA functions prepare statements themselves. */
  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(on: boolean) {
    this.#isOn = on;
    this.#set(on);
  }

  /** Runs `work` a second time if the schema turns out to need such texts: a PRAGMA function prepares the query of a view only when it runs. */
  retrying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (this.#isOn || toAppError(error).detail?.['isQuoted'] !== true) throw error;
      this.isOn = true;
    }
    try {
      return work();
    } catch (error) {
      this.isOn = false;
      throw error;
    }
  }

  /** Runs `work`; if such texts are forbidden, no statement that `work` prepares may have one. */
  unless(isForbidden: boolean, work: () => void): void {
    this.#isForbidden = isForbidden;
    try {
      work();
    } finally {
      this.#isForbidden = false;
    }
  }

  /** Runs `prepare`, to which all names in double quotes are names. */
  whileOff<T>(prepare: () => T): T {
    if (!this.#isOn) return prepare();
    this.#set(false);
    try {
      return prepare();
    } finally {
      this.#set(true);
    }
  }

  /** Runs `prepare` on the statement at `sql`, whose own names stay names: backticks never enclose a text. Null if that is not possible. */
  inSchemaOnly(sql: Pointer, prepare: () => number): number | null {
    if (this.#isForbidden) return null;
    const { heap } = this.#sqlite;
    const names = namesFrom(heap.bytes, sql);
    if (names === null) return null;
    const before = names.map(({ from, to }) => heap.bytes.slice(from, to));
    for (const { from, to } of names) heap.bytes.set(inBackticks(heap.bytes.subarray(from, to)), from);
    this.#set(true);
    const code = prepare();
    names.forEach(({ from }, at) => heap.bytes.set(before[at]!, from));
    this.isOn ||= code === 0;
    this.#set(this.#isOn);
    return code;
  }

  #set(on: boolean): void {
    this.#sqlite.raw.sqlite3__wasm_db_config_ip(this.#db, DbConfig.doubleQuotedStrings, on ? 1 : 0, 0);
  }
}

/** Names in double quotes in the first statement from `sql` on; null if one has a backtick in it. */
function namesFrom(
  bytes: Uint8Array,
  sql: Pointer,
): readonly { readonly from: Pointer; readonly to: Pointer }[] | null {
  const names: { from: Pointer; to: Pointer }[] = [];
  for (let at = sql; bytes[at] !== 0 && bytes[at] !== SEMICOLON; at++) {
    const close = CLOSING[bytes[at]!];
    if (close === undefined) {
      at = Math.max(at, skipBlank(bytes, at) - 1); // comments
      continue;
    }
    const from = at++;
    for (;;) {
      if (bytes[at] === 0) return null;
      if (bytes[at] === close && (close !== DOUBLE_QUOTE || bytes[++at] !== DOUBLE_QUOTE)) break;
      at++;
    }
    if (close !== DOUBLE_QUOTE) continue;
    if (bytes.subarray(from, at).includes(BACKTICK)) return null;
    names.push({ from, to: at-- });
  }
  return names;
}

/** The name in backticks, in as many bytes: a quote inside needs one byte less, which follows as a space. */
function inBackticks(quoted: Uint8Array): Uint8Array {
  const name = new Uint8Array(quoted.length).fill(SPACE);
  let length = 0;
  for (let at = 0; at < quoted.length; at++) {
    const isEnd = at === 0 || at === quoted.length - 1;
    name[length++] = isEnd ? BACKTICK : quoted[at]!;
    if (!isEnd && quoted[at] === DOUBLE_QUOTE) at++;
  }
  return name;
}
