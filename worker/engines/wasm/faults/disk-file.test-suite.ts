// One file on the disk under test: what programs see, what would still be there after a power cut, and what lies between.
import type { Random } from '#shared/random.ts';

/** Bytes that drives write in one piece. */
export const SECTOR_BYTES = 512;

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array; readonly lost: boolean }
  | { readonly kind: 'truncate'; readonly size: number; readonly lost: boolean };

export class DiskFile {
  readonly #seen: Image = new Image();
  readonly #safe: Image = new Image();
  /** Changes since the last flush, in order. */
  #unsafe: Change[] = [];

  get size(): number {
    return this.#seen.size;
  }

  read(offset: number, into: Uint8Array): number {
    return this.#seen.read(offset, into);
  }

  /** `lost`: seen by every reader, but gone after a power cut. */
  write(offset: number, bytes: Uint8Array, lost = false): void {
    const kept = bytes.slice();
    this.#seen.write(offset, kept);
    this.#unsafe.push({ kind: 'write', offset, bytes: kept, lost });
  }

  truncate(size: number, lost = false): void {
    this.#seen.truncate(size);
    this.#unsafe.push({ kind: 'truncate', size, lost });
  }

  flush(): void {
    for (const change of this.#unsafe) if (!change.lost) apply(this.#safe, change);
    this.#unsafe = [];
  }

  /** Cuts the power: each unflushed sector reached the disk with this probability, in any order. */
  cutPower(random: Random, kept: number): void {
    for (const change of this.#unsafe) {
      if (change.lost) continue;
      if (change.kind === 'write') writeSectors(this.#safe, change, () => random.chance(kept));
      else if (random.chance(kept)) apply(this.#safe, change);
    }
    this.#unsafe = [];
    this.#seen.become(this.#safe);
  }
}

/** Hands those 512-byte sectors of a write to `write` for which `chosen` returns true. */
export function writeSectors(
  target: { write(offset: number, bytes: Uint8Array): void },
  change: { readonly offset: number; readonly bytes: Uint8Array },
  chosen: () => boolean,
): void {
  const { offset, bytes } = change;
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES));
    if (chosen()) target.write(offset + from, bytes.subarray(from, to));
    from = to;
  }
}

function apply(image: Image, change: Change): void {
  if (change.kind === 'write') image.write(change.offset, change.bytes);
  else image.truncate(change.size);
}

/** Bytes that grow; gaps read as zeros. */
class Image {
  size = 0;
  #bytes = new Uint8Array(1 << 14);

  read(offset: number, into: Uint8Array): number {
    const count = Math.max(0, Math.min(into.length, this.size - offset));
    into.set(this.#bytes.subarray(offset, offset + count));
    return count;
  }

  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.size));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, offset);
    this.size = Math.max(this.size, end);
  }

  truncate(size: number): void {
    if (size < this.size) this.#bytes.fill(0, size, this.size);
    this.size = Math.min(size, this.size);
  }

  become(other: Image): void {
    this.size = other.size;
    this.#bytes = other.#bytes.slice();
  }
}
