// The memory that the host page and the worker share: what runs, how far it is, and what somebody wants stopped. The worker reads and
// writes it while it is inside SQLite and hears no message; the page reads it while the worker is silent.
import type { Progress } from '#shared/protocol/library.ts';
import type { Work } from '#shared/protocol/session.ts';

/** More works at once than this go unseen, and are stopped by their window's own cancel only. */
const PLACES = 64;
const HEAD_BYTES = 64;
/** A multiple of 8, for the floats. */
const PLACE_BYTES = 1280;
const FLOATS_AT = 32;
const TEXT_AT = 64;
const TEXT_UNITS = (PLACE_BYTES - TEXT_AT) / 2;
export const BOARD_BYTES = HEAD_BYTES + PLACES * PLACE_BYTES;

/** Word of the head: 1 while the page looks at the board by itself. */
const WATCHED = 0;
/** Words of a place. `version` is odd while the worker writes. */
const Word = { version: 0, id: 1, wish: 2, call: 3, unit: 4, textUnits: 5 } as const;
/** Floats of a place. */
const Float = { startedAt: 0, done: 1, total: 2, turnBegan: 3 } as const;
const UNITS: readonly Progress['unit'][] = ['bytes', 'rows', 'statements', 'steps'];
const SEPARATOR = '\0';
/** So that the last text, the title, never is cut off by long names before it. */
const NAME_UNITS = 100;

export type PostedWork = Omit<Work, 'progress' | 'waitingFor' | 'holdsSinceMs' | 'stopAskedAtMs'>;

export interface SeenWork extends PostedWork, Pick<Work, 'progress' | 'waitingFor'> {
  /** Null between its turns. */
  readonly turnBeganAtMs: number | null;
}

export class WorkBoard {
  readonly #memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #places: Place[];

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BOARD_BYTES)) {
    this.#memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#places = Array.from({ length: PLACES }, (_, index) => new Place(memory, HEAD_BYTES + index * PLACE_BYTES));
  }

  get memory(): SharedArrayBuffer {
    return this.#memory;
  }

  /** For the worker. Null when every place is taken. */
  post(work: PostedWork): PostedPlace | null {
    const free = this.#places.find((place) => place.id === 0);
    free?.fill(work);
    return free ?? null;
  }

  /** For the page: what runs now, oldest first. What is being written at this moment is there the next time. */
  read(): SeenWork[] {
    const works = this.#places.map((place) => place.read()).filter((work) => work !== null);
    return works.sort((a, b) => a.startedAtMs - b.startedAtMs || a.id - b.id);
  }

  /** For the page: asks work `id` to stop. False when it has ended. */
  stop(id: number): boolean {
    const place = this.#places.find((candidate) => candidate.id === id);
    place?.wish(id);
    return place !== undefined;
  }

  /** For both. Answers whether it was watched before. */
  watch(): boolean {
    return Atomics.exchange(this.#head, WATCHED, 1) === 1;
  }

  unwatch(): void {
    Atomics.store(this.#head, WATCHED, 0);
  }
}

/** The worker's hold on one place. */
export interface PostedPlace {
  /** Somebody asked for it. */
  readonly stopRequested: boolean;
  show(progress: Progress): void;
  waitFor(holders: string | null): void;
  /** Its turn begins; null: it has ended. */
  turn(beganAtMs: number | null): void;
  clear(): void;
}

class Place implements PostedPlace {
  readonly #words: Int32Array;
  readonly #floats: Float64Array;
  readonly #text: Uint16Array;
  #work: PostedWork | null = null;
  #phase = '';
  #waitingFor = '';

  constructor(memory: SharedArrayBuffer, offset: number) {
    this.#words = new Int32Array(memory, offset, FLOATS_AT / 4);
    this.#floats = new Float64Array(memory, offset + FLOATS_AT, (TEXT_AT - FLOATS_AT) / 8);
    this.#text = new Uint16Array(memory, offset + TEXT_AT, TEXT_UNITS);
  }

  get id(): number {
    return Atomics.load(this.#words, Word.id);
  }

  get stopRequested(): boolean {
    return Atomics.load(this.#words, Word.wish) === this.#words[Word.id];
  }

  wish(id: number): void {
    Atomics.store(this.#words, Word.wish, id);
  }

  fill(work: PostedWork): void {
    this.#work = work;
    this.#phase = '';
    this.#waitingFor = '';
    this.#write(() => {
      this.#words[Word.call] = work.call;
      this.#words[Word.unit] = -1;
      this.#floats[Float.startedAt] = work.startedAtMs;
      this.#floats[Float.turnBegan] = NaN;
      this.#writeText();
      Atomics.store(this.#words, Word.wish, 0);
      Atomics.store(this.#words, Word.id, work.id);
    });
  }

  show({ phase, done, total, unit }: Progress): void {
    this.#write(() => {
      this.#words[Word.unit] = UNITS.indexOf(unit);
      this.#floats[Float.done] = done;
      this.#floats[Float.total] = total ?? NaN;
      if (phase === this.#phase) return;
      this.#phase = phase;
      this.#writeText();
    });
  }

  waitFor(holders: string | null): void {
    if (this.#waitingFor === (holders ?? '')) return;
    this.#waitingFor = holders ?? '';
    if (this.#work) this.#write(() => this.#writeText());
  }

  turn(beganAtMs: number | null): void {
    this.#write(() => {
      this.#floats[Float.turnBegan] = beganAtMs ?? NaN;
    });
  }

  clear(): void {
    this.#work = null;
    Atomics.store(this.#words, Word.id, 0);
  }

  read(): SeenWork | null {
    const version = Atomics.load(this.#words, Word.version);
    const { id } = this;
    if (id === 0 || version % 2 === 1) return null;
    const [startedAtMs, done, total, turnBegan] = this.#floats as unknown as [number, number, number, number];
    const unit = UNITS[this.#words[Word.unit]!];
    const text = String.fromCharCode(...this.#text.slice(0, this.#words[Word.textUnits]));
    const [windowId = '', windowTitle = '', databaseName = '', phase = '', waitingFor = '', title = ''] =
      text.split(SEPARATOR);
    const progress = unit ? { phase, done, total: Number.isNaN(total) ? null : total, unit } : null;
    const work = {
      id,
      call: this.#words[Word.call]!,
      databaseName,
      windowId,
      windowTitle,
      title,
      startedAtMs,
      progress,
      waitingFor: waitingFor || null,
      turnBeganAtMs: Number.isNaN(turnBegan) ? null : turnBegan,
    };
    const isWhole = Atomics.load(this.#words, Word.version) === version && this.id === id;
    return isWhole ? work : null;
  }

  #write(body: () => void): void {
    Atomics.add(this.#words, Word.version, 1);
    body();
    Atomics.add(this.#words, Word.version, 1);
  }

  #writeText(): void {
    const { windowId, windowTitle, databaseName, title } = this.#work!;
    const names = [windowId, windowTitle, databaseName, this.#phase, this.#waitingFor].map((name) =>
      name.slice(0, NAME_UNITS),
    );
    const text = [...names, title].map((part) => part.replaceAll(SEPARATOR, ' ')).join(SEPARATOR);
    const units = Math.min(text.length, TEXT_UNITS);
    for (let index = 0; index < units; index++) this.#text[index] = text.charCodeAt(index);
    this.#words[Word.textUnits] = units;
  }
}
