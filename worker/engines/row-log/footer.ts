// The end of a row log: where its parts end, the format it has, and a checksum that tells whether it is still what was written.

/** Format 3 of a row log. */
export const FORMAT = 0x33474c52; // 'RLG3'
/** Same as format 3 before there were names: none of its tables has a `declaredKey`. */
export const FORMAT_2 = 0x32474c52; // 'RLG2'
/** Same as format 2 except for {@link checksumOfFormat1}. */
export const FORMAT_1 = 0x31474c52; // 'RLG1'
export const FOOTER_BYTES = 24;

export interface Footer {
  readonly rowCount: number;
  readonly sequenceBytes: number;
  readonly tableBytes: number;
}

/** Writes into the last {@link FOOTER_BYTES} of a log that is complete otherwise. */
export function writeFooter(log: Uint8Array, { rowCount, sequenceBytes, tableBytes }: Footer): void {
  const footer = footerOf(log);
  footer.setFloat64(0, rowCount, true);
  footer.setUint32(8, sequenceBytes, true);
  footer.setUint32(12, tableBytes, true);
  footer.setUint32(16, FORMAT, true);
  footer.setUint32(20, checksumOf(contentOf(log)), true);
}

export function readFooter(log: Uint8Array): Footer {
  const footer = footerOf(log);
  return {
    rowCount: footer.getFloat64(0, true),
    sequenceBytes: footer.getUint32(8, true),
    tableBytes: footer.getUint32(12, true),
  };
}

/** Whether the log has a known format and is what was written. */
export function isIntact(log: Uint8Array): boolean {
  if (log.length < FOOTER_BYTES) return false;
  const footer = footerOf(log);
  return footer.getUint32(20, true) === CHECKSUMS.get(footer.getUint32(16, true))?.(contentOf(log));
}

const CHECKSUMS: ReadonlyMap<number, (bytes: Uint8Array) => number> = new Map([
  [FORMAT, checksumOf],
  [FORMAT_2, checksumOf],
  [FORMAT_1, checksumOfFormat1],
]);

const footerOf = (log: Uint8Array): DataView =>
  new DataView(log.buffer, log.byteOffset + log.length - FOOTER_BYTES, FOOTER_BYTES);

/** Content that the checksum covers: everything before it. */
const contentOf = (log: Uint8Array): Uint8Array => log.subarray(0, log.length - 4);

const SEED = 0x811c9dc5;

/** Tells damage, not malice. Four sums side by side: none waits for the one before it. */
export function checksumOf(bytes: Uint8Array): number {
  const words = wordsOf(bytes);
  let [a, b, c, d] = [SEED ^ bytes.length, SEED, SEED, SEED];
  const end = words.length & ~3;
  for (let index = 0; index < end; index += 4) {
    a = mix(a, words[index]!);
    b = mix(b, words[index + 1]!);
    c = mix(c, words[index + 2]!);
    d = mix(d, words[index + 3]!);
  }
  for (let place = end * 4; place < bytes.length; place++) a = mix(a, bytes[place]!);
  return mix(mix(mix(a, b), c), d) >>> 0;
}

export function checksumOfFormat1(bytes: Uint8Array): number {
  const words = wordsOf(bytes);
  let sum = SEED ^ bytes.length;
  for (let index = 0; index < words.length; index++) sum = mix(sum, words[index]!);
  for (let place = words.length * 4; place < bytes.length; place++) sum = mix(sum, bytes[place]!);
  return sum >>> 0;
}

/** Whole words from the beginning. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
}

function mix(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, 0x85ebca6b);
  return (mixed << 13) | (mixed >>> 19);
}
