// Numbers of a page in Parquet's hybrid of runs and packed bits (github.com/apache/parquet-format/blob/master/Encodings.md), from the first to the
// last, as many at a time as are asked for: what a run claims takes no memory.

export class HybridRuns {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  /** Values of the page: no run has more. */
  readonly #most: number;
  /** Where the next run, or the next byte of packed values, begins. */
  #at: number;
  /** Values of the run that are left. */
  #left = 0;
  #isPacked = false;
  #value = 0;
  /** Bit of the byte at `#at` with which the next packed value begins. */
  #bit = 0;

  constructor(bytes: Uint8Array, at: number, width: number, most: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#width = width;
    this.#most = most;
    if (width > 32) throw new Error(`a page has numbers of ${width} bits`);
    // Then there is only one number, and nothing is written.
    if (width === 0) this.#left = most;
  }

  /** All values are packed, without a run around them. */
  static ofBits(bytes: Uint8Array, at: number, width: number, most: number): HybridRuns {
    const runs = new HybridRuns(bytes, at, width, most);
    runs.#left = most;
    runs.#isPacked = true;
    return runs;
  }

  /** Writes the next numbers. @throws Error where the page has no more, or claims too many */
  read(output: Uint8Array | Int32Array, from: number, to: number): void {
    for (let at = from; at < to;) {
      if (this.#left === 0) this.#begin();
      const count = Math.min(this.#left, to - at);
      if (this.#isPacked) this.#unpack(output, at, at + count);
      else output.fill(this.#value, at, at + count);
      this.#left -= count;
      at += count;
    }
  }

  #begin(): void {
    const header = this.#varint();
    this.#isPacked = (header & 1) === 1;
    if (this.#isPacked) {
      this.#left = Math.floor(header / 2) * 8;
      return;
    }
    const count = Math.floor(header / 2);
    if (count > this.#most) throw new Error(`a run claims ${count} values in a page of ${this.#most}`);
    this.#left = count;
    this.#value = 0;
    for (let shift = 0; shift < this.#width; shift += 8) this.#value |= this.#byte() << shift;
  }

  #unpack(output: Uint8Array | Int32Array, from: number, to: number): void {
    const bytes = this.#bytes;
    const width = this.#width;
    let [at, bit] = [this.#at, this.#bit];
    if (from < to && at + Math.ceil((bit + (to - from) * width) / 8) > bytes.length) throw ended();
    for (let index = from; index < to; index++) {
      let value = 0;
      for (let done = 0; done < width;) {
        const taken = Math.min(8 - bit, width - done);
        value |= ((bytes[at]! >> bit) & ((1 << taken) - 1)) << done;
        done += taken;
        bit += taken;
        if (bit === 8) {
          bit = 0;
          at++;
        }
      }
      output[index] = value;
    }
    this.#at = at;
    this.#bit = bit;
  }

  #varint(): number {
    let result = 0;
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = this.#byte();
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
    throw new Error('a run has no length');
  }

  #byte(): number {
    if (this.#at >= this.#bytes.length) throw ended();
    return this.#bytes[this.#at++]!;
  }
}

const ended = (): Error => new Error('a page ends before its values do');
