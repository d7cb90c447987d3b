// The Alt key alone: pressed and released with nothing in between, it goes to the menu bar.

interface AltPress {
  readonly key: string;
  readonly repeat: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

export class AltKey {
  #isAlone = false;

  /** Returns whether this is Alt alone, so far. */
  down({ key, repeat, ctrlKey, shiftKey, metaKey }: AltPress): boolean {
    const isAlone = key === 'Alt' && !ctrlKey && !shiftKey && !metaKey;
    // A key that is held down repeats: it stays what it was.
    if (!(isAlone && repeat)) this.#isAlone = isAlone;
    return this.#isAlone;
  }

  /** Returns whether Alt was pressed and released alone. */
  up({ key }: Pick<AltPress, 'key'>): boolean {
    const isDone = key === 'Alt' && this.#isAlone;
    this.#isAlone = false;
    return isDone;
  }

  /** Something else happened, such as a press of the pointer. */
  interrupt(): void {
    this.#isAlone = false;
  }
}
