// Makes one value of a sequence of words, and returns the previous value when the words are the same again.

/** Statements of a script mostly do what the one before did: maps and sets of it would cost more than preparing it. */
export class Repeated<T> {
  readonly #make: (words: readonly string[]) => T;
  /** Words of the value, up to where the new ones differ. */
  #words: string[] = [];
  #count = 0;
  #isSame = true;
  #value: T;

  constructor(make: (words: readonly string[]) => T) {
    this.#make = make;
    this.#value = make([]);
  }

  begin(): void {
    this.#count = 0;
    // Words added before but never asked for have no value.
    if (!this.#isSame) this.#forget();
  }

  add(word: string): void {
    if (this.#isSame && this.#words[this.#count] !== word) {
      this.#isSame = false;
      this.#words.length = this.#count;
    }
    if (!this.#isSame) this.#words.push(word);
    this.#count++;
  }

  end(): T {
    if (this.#isSame && this.#count === this.#words.length) return this.#value;
    this.#words.length = this.#count;
    this.#isSame = true;
    this.#value = this.#make(this.#words);
    return this.#value;
  }

  #forget(): void {
    this.#words = [];
    this.#isSame = true;
    this.#value = this.#make([]);
  }
}
