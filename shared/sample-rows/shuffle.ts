// The numbers below a limit in an order that looks random and repeats none: what is unique is not drawn but looked up.

const ROUNDS = 4;

/**
 * The place of `index` in a shuffled list of all whole numbers below `size`, without making that list: a Feistel network over the next even
 * number of bits, walked until it comes out below `size`.
 * @param size from 1 to 2^52
 */
export function shuffled(index: number, size: number, key: number): number {
  const half = Math.max(1, Math.ceil(Math.log2(size) / 2));
  const side = 2 ** half;
  let value = index;
  do {
    let left = Math.floor(value / side);
    let right = value % side;
    for (let round = 0; round < ROUNDS; round++) {
      const mixed = (left ^ (scrambled(right, key + round) & (side - 1))) >>> 0;
      left = right;
      right = mixed;
    }
    value = left * side + right;
  } while (value >= size);
  return value;
}

/** The finalizer of MurmurHash3. */
function scrambled(value: number, key: number): number {
  let hash = (value ^ Math.imul(key, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
