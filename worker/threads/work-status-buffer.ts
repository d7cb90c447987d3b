// The memory that the host page and the worker share: what runs, how far it is, and what a window wants stopped. The worker reads and
// writes it while it is inside SQLite and receives no messages; the page reads it while the worker sends none. Each word has one writer.
import type { Progress } from '#shared/protocol/library.ts';
import type { Work } from '#shared/protocol/session.ts';
import { ROWS_KEY_UNITS } from '#shared/rows-key.ts';

/** More works at once than this go unseen, and are stopped by their window's own cancel only. */
const SLOTS = 64;
const HEAD_WORDS = 16;
const SLOT_WORDS = 420;
/** Text uses the remaining words of a slot, two UTF-16 units per word. */
const TEXT_AT = 16;
const TEXT_UNITS = (SLOT_WORDS - TEXT_AT) * 2;
const BUFFER_BYTES = (HEAD_WORDS + SLOTS * SLOT_WORDS) * 4;

/** Word of the head, written by the page: odd while it polls the work status buffer, and a new number each time. */
const LOOKS = 0;
/** Word of a slot, written by the page: the id of the work that is to stop. Ids are never used twice, so it need not be cleared. */
const WISH = 0;
/** Words of a slot, written by the worker: a {@link SharedRecord}. `id` is 0 while the slot is free; floats take two words. */
const RECORD_AT = 1;
const Word = { id: 1, call: 2, unit: 3, startedAt: 4, done: 6, total: 8, turnBegan: 10, textUnits: 12 } as const;
const RECORD_TEXT_AT = TEXT_AT - RECORD_AT;
const UNITS: readonly Progress['unit'][] = ['bytes', 'rows', 'statements', 'steps'];
const SEPARATOR = '\0';
/** Limit that keeps long names from cutting off the last text, the title. {@link ROWS_KEY_UNITS} is one of them. */
const NAME_UNITS = 100;

export type PostedWork = Omit<Work, 'progress' | 'waitingFor' | 'holdsSinceMs' | 'stopAskedAtMs'>;

export interface SeenWork extends PostedWork, Pick<Work, 'progress' | 'waitingFor'> {
  /** Null between its turns. */
  readonly turnBeganAtMs: number | null;
}

export class WorkStatusBuffer {
  readonly #memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #entries: Entry[];
  /** The value of {@link LOOKS} when the worker last called the page. */
  #calledAt = -1;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BUFFER_BYTES)) {
    this.#memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD_WORDS);
    this.#entries = Array.from(
      { length: SLOTS },
      (_, index) => new Entry(new Int32Array(memory, (HEAD_WORDS + index * SLOT_WORDS) * 4, SLOT_WORDS)),
    );
  }

  get memory(): SharedArrayBuffer {
    return this.#memory;
  }

  /** Used by the worker. Null when every slot is taken. */
  post(work: PostedWork): PostedEntry | null {
    const free = this.#entries.find((entry) => entry.isFree);
    free?.fill(work);
    return free ?? null;
  }

  /**
   * Used by the worker after {@link post}: whether the page has to be called. False once it has been, until it has looked and
   * stopped looking.
   */
  needsCall(): boolean {
    const looks = Atomics.load(this.#head, LOOKS);
    if ((looks & 1) === 1 || looks === this.#calledAt) return false;
    this.#calledAt = looks;
    return true;
  }

  /** Used by the page: the current work, oldest first. A record that is being written is returned as last seen. */
  read(): SeenWork[] {
    const works = this.#entries.map((entry) => entry.read()).filter((work) => work !== null);
    return works.sort((a, b) => a.startedAtMs - b.startedAtMs || a.id - b.id);
  }

  /** Used by the page: nothing runs, and nothing is just being posted, which {@link read} may not show yet. */
  get isEmpty(): boolean {
    return this.#entries.every((entry) => entry.isSeenFree);
  }

  /** Used by the page: asks work `id` to stop. False when it has ended. */
  stop(id: number): boolean {
    const entry = this.#entries.find((candidate) => candidate.id === id);
    entry?.wish(id);
    return entry !== undefined;
  }

  /**
   * Used by the page: starts or ends polling. Work that the worker posts without calling the page is visible after the call that ends
   * polling, because each side first writes its own word and then reads that of the other.
   */
  setWatched(isWatched: boolean): void {
    const looks = Atomics.load(this.#head, LOOKS);
    if (((looks & 1) === 1) !== isWatched) Atomics.store(this.#head, LOOKS, (looks + 1) | 0);
  }
}

/** The worker's hold on one slot. */
export interface PostedEntry {
  /** A window asked to stop this work. */
  readonly stopRequested: boolean;
  show(progress: Progress): void;
  waitFor(holders: string | null): void;
  /** Begins a turn; null: it has ended. */
  turn(beganAtMs: number | null): void;
  clear(): void;
}

class Entry implements PostedEntry {
  readonly #words: Int32Array;
  readonly #record: SharedRecord;
  // Used by the worker.
  #work: PostedWork | null = null;
  #phase = '';
  #waitingFor = '';
  /** The raw value in the record, which is often that of the previous work. */
  #text = '';
  // Used by the page.
  #seen: SeenWork | null = null;

  constructor(words: Int32Array) {
    this.#words = words;
    this.#record = new SharedRecord(words.subarray(RECORD_AT));
  }

  get isFree(): boolean {
    return this.#work === null;
  }

  get stopRequested(): boolean {
    return this.#work !== null && Atomics.load(this.#words, WISH) === this.#work.id;
  }

  fill(work: PostedWork): void {
    this.#work = work;
    this.#phase = '';
    this.#waitingFor = '';
    const record = this.#record;
    record.write(() => {
      record.set(Word.id, work.id);
      record.set(Word.call, work.call);
      record.set(Word.unit, -1);
      record.setFloat(Word.startedAt, work.startedAtMs);
      record.setFloat(Word.turnBegan, NaN);
      this.#writeText(work);
    });
  }

  show({ phase, done, total, unit }: Progress): void {
    const record = this.#record;
    record.write(() => {
      record.set(Word.unit, UNITS.indexOf(unit));
      record.setFloat(Word.done, done);
      record.setFloat(Word.total, total ?? NaN);
      if (phase === this.#phase || !this.#work) return;
      this.#phase = phase;
      this.#writeText(this.#work);
    });
  }

  waitFor(holders: string | null): void {
    const work = this.#work;
    if (this.#waitingFor === (holders ?? '') || !work) return;
    this.#waitingFor = holders ?? '';
    this.#record.write(() => this.#writeText(work));
  }

  turn(beganAtMs: number | null): void {
    this.#record.write(() => this.#record.setFloat(Word.turnBegan, beganAtMs ?? NaN));
  }

  clear(): void {
    this.#work = null;
    this.#record.write(() => this.#record.set(Word.id, 0));
  }

  // Used by the page.

  get id(): number {
    return this.#record.get(Word.id);
  }

  get isSeenFree(): boolean {
    return this.#record.read(() => this.id === 0) ?? false;
  }

  wish(id: number): void {
    Atomics.store(this.#words, WISH, id);
  }

  read(): SeenWork | null {
    const now = this.#record.read(() => ({ work: this.#readWork() }));
    if (now) this.#seen = now.work;
    return this.#seen;
  }

  #readWork(): SeenWork | null {
    const record = this.#record;
    const { id } = this;
    if (id === 0) return null;
    const unit = UNITS[record.get(Word.unit)];
    const total = record.getFloat(Word.total);
    const turnBegan = record.getFloat(Word.turnBegan);
    const [windowId = '', windowTitle = '', databaseName = '', phase = '', waitingFor = '', rowsOf = '', title = ''] =
      this.#readText().split(SEPARATOR);
    return {
      id,
      call: record.get(Word.call),
      databaseName,
      windowId,
      windowTitle,
      title,
      rowsOf: rowsOf || null,
      startedAtMs: record.getFloat(Word.startedAt),
      progress: unit
        ? { phase, done: record.getFloat(Word.done), total: Number.isNaN(total) ? null : total, unit }
        : null,
      waitingFor: waitingFor || null,
      turnBeganAtMs: Number.isNaN(turnBegan) ? null : turnBegan,
    };
  }

  #writeText({ windowId, windowTitle, databaseName, rowsOf, title }: PostedWork): void {
    const names = [windowId, windowTitle, databaseName, this.#phase, this.#waitingFor].map((name) =>
      name.slice(0, NAME_UNITS),
    );
    const text = [...names, (rowsOf ?? '').slice(0, ROWS_KEY_UNITS), title]
      .map((part) => part.replaceAll(SEPARATOR, ' '))
      .join(SEPARATOR);
    if (text === this.#text) return;
    this.#text = text;
    const units = Math.min(text.length, TEXT_UNITS);
    for (let at = 0; at < units; at += 2) {
      const second = at + 1 < units ? text.charCodeAt(at + 1) : 0;
      this.#record.set(RECORD_TEXT_AT + at / 2, text.charCodeAt(at) | (second << 16));
    }
    this.#record.set(Word.textUnits, units);
  }

  #readText(): string {
    const units = Math.min(this.#record.get(Word.textUnits), TEXT_UNITS);
    const codes: number[] = [];
    for (let at = 0; at < units; at += 2) {
      const pair = this.#record.get(RECORD_TEXT_AT + at / 2);
      codes.push(pair & 0xffff, pair >>> 16);
    }
    return String.fromCharCode(...codes.slice(0, units));
  }
}

// A record of 32-bit words in shared memory that one thread writes and another reads consistently; neither ever waits for the other.

/** The first word: odd while the rest is being written. */
const VERSION = 0;

/**
 * Every access is one of `Atomics`, which all threads see in one order: plain reads and writes may be moved past the version, on ARM
 * by the processor, too.
 */
class SharedRecord {
  readonly #words: Int32Array;
  /** A float as two words. */
  readonly #float = new Float64Array(1);
  readonly #halves = new Int32Array(this.#float.buffer);

  /** @param words the first is the version; the caller defines the others */
  constructor(words: Int32Array) {
    this.#words = words;
  }

  /** Used by the writer. Within `body`, call {@link set} and {@link setFloat}. */
  write(body: () => void): void {
    Atomics.add(this.#words, VERSION, 1);
    body();
    Atomics.add(this.#words, VERSION, 1);
  }

  set(word: number, value: number): void {
    Atomics.store(this.#words, word, value);
  }

  setFloat(word: number, value: number): void {
    this.#float[0] = value;
    this.set(word, this.#halves[0]!);
    this.set(word + 1, this.#halves[1]!);
  }

  /** Used by the reader: the result of `body`; null when the record was written in the meantime. */
  read<T>(body: () => T): T | null {
    const version = this.get(VERSION);
    if ((version & 1) === 1) return null;
    const result = body();
    return this.get(VERSION) === version ? result : null;
  }

  get(word: number): number {
    return Atomics.load(this.#words, word);
  }

  getFloat(word: number): number {
    this.#halves[0] = this.get(word);
    this.#halves[1] = this.get(word + 1);
    return this.#float[0]!;
  }
}
