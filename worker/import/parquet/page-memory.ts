// Memory that the pages of all columns take together: what one wants is counted before it gets it.
import { sizeText } from '../reading-limits.ts';
import { tooBig } from './parquet-errors.ts';

export class PageMemory {
  readonly #mostBytes: number;
  readonly #whole: PageMemory | null;
  #bytes = 0;

  constructor(mostBytes: number, whole: PageMemory | null = null) {
    this.#mostBytes = mostBytes;
    this.#whole = whole;
  }

  /** The memory of a part, which is given back as a whole. */
  part(): PageMemory {
    return new PageMemory(Infinity, this);
  }

  /** @throws AppError `too-big` */
  take(bytes: number): void {
    this.#whole?.take(bytes);
    if (this.#bytes + bytes > this.#mostBytes)
      throw tooBig(`its columns take more than ${sizeText(this.#mostBytes)} at once`);
    this.#bytes += bytes;
  }

  giveBack(): void {
    this.#whole?.give(this.#bytes);
    this.#bytes = 0;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
