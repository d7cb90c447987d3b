// Random numbers and bytes that are the same in every run, so that a failing spec fails again.

/** An endless row of 32-bit numbers (xorshift32). */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

export function randomBytes(seed: number, length: number): Buffer {
  const next = seeded(seed);
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = next() >>> 24;
  return bytes;
}
