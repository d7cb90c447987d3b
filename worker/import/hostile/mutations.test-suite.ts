// Inputs that are nearly right: bits, lengths, and pieces of valid ones changed by a seed.
import { createRandom, type Random } from '#shared/random.ts';

/** Numbers that lengths and counts go wrong with. */
const EDGES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const WORDS = ['"', "'", '`', '{', '}', '[', ']', '(', ')', ';', ',', '\0', '\r\n', '\n', '<', '>', '&', '/*', '*/', '--', '$$', '\\', '\ud83d', 'ÿ', '1e999', '-', 'null', ':']; // prettier-ignore

type Mutation = (bytes: Buffer, random: Random, others: readonly Uint8Array[]) => Buffer;

const place = (bytes: Uint8Array, random: Random): number => random.between(0, Math.max(0, bytes.length - 1));
const spliced = (bytes: Buffer, from: number, to: number, put: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(Math.max(from, to))]);

const MUTATIONS: readonly Mutation[] = [
  // A bit.
  (bytes, random) => {
    if (bytes.length > 0) bytes[place(bytes, random)]! ^= 1 << random.between(0, 7);
    return bytes;
  },
  (bytes, random) => {
    if (bytes.length > 0) bytes[place(bytes, random)] = random.between(0, 255);
    return bytes;
  },
  // The end is missing, or the beginning.
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
  (bytes, random) => bytes.subarray(random.chance(0.2) ? place(bytes, random) : 0),
  // A piece again, and again.
  (bytes, random) => {
    const from = place(bytes, random);
    const piece = bytes.subarray(from, from + random.between(1, 200));
    const times = random.chance(0.1) ? random.between(100, 5000) : random.between(1, 10);
    return spliced(bytes, from, from, Buffer.concat(Array.from({ length: times }, () => piece)));
  },
  // A piece is missing, or comes from another place or another input.
  (bytes, random) => {
    const from = place(bytes, random);
    return spliced(bytes, from, from + random.between(1, 100), new Uint8Array());
  },
  (bytes, random, others) => {
    const other = random.pick(others);
    const at = place(other, random);
    const from = place(bytes, random);
    const length = random.between(1, 300);
    return spliced(bytes, from, random.chance(0.5) ? from : from + length, other.subarray(at, at + length));
  },
  // A length: of 8, 16, 32, or 64 bits, in either order.
  (bytes, random) => {
    const size = random.pick([1, 2, 4, 8]);
    if (bytes.length < size) return bytes;
    const at = random.between(0, bytes.length - size);
    const number = BigInt(random.pick(EDGES)) + (random.chance(0.2) ? 1n << 63n : 0n);
    for (let byte = 0; byte < size; byte++) {
      const shift = BigInt(8 * byte);
      bytes[at + (random.chance(0.5) ? byte : size - 1 - byte)] = Number((number >> shift) & 0xffn);
    }
    return bytes;
  },
  // A varint, as Thrift and changesets write them.
  (bytes, random) =>
    spliced(bytes, place(bytes, random), place(bytes, random), Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f)),
  (bytes, random) => {
    const at = place(bytes, random);
    return spliced(bytes, at, at + random.between(0, 3), Buffer.from(random.pick(WORDS)));
  },
];

/** Always the same for one seed. */
export function mutated(inputs: readonly Uint8Array[], seed: number): Uint8Array {
  const random = createRandom(seed);
  let bytes = Buffer.from(random.pick(inputs));
  const times = random.chance(0.6) ? random.between(1, 3) : random.between(1, 30);
  for (let time = 0; time < times; time++) bytes = Buffer.from(random.pick(MUTATIONS)(bytes, random, inputs));
  return new Uint8Array(bytes);
}
