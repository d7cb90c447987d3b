// Bytes one after the other, in an array that grows.

export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  /** SQLite's variable-length integer (sqlite.org/fileformat2.html#varint), of up to 32 bits here. */
  varint(value: number): void {
    const groups: number[] = [value & 0x7f];
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.push(0x80 | (rest & 0x7f));
    for (const group of groups.reverse()) this.byte(group);
  }

  integer(value: bigint): void {
    this.#room(8);
    this.#view.setBigInt64(this.#length, value);
    this.#length += 8;
  }

  real(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  all(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
