// The name of a committed state, as the log has it and as it survives an empty log.

/** Salts and running checksum of the log at a commit frame: the checksum covers every page written since the salts were chosen. */
export type CommitMark = Uint8Array;

export const MARK_BYTES = 16;
/** Same as the size of the log's own header, whose place the note takes. */
export const NOTE_BYTES = 32;

/** Differs from the first bytes of any log: SQLite finds no log behind it and reads none (sqlite.org/fileformat2.html#walformat). */
const TAG = new TextEncoder().encode('sidelite');

/** Content of an empty log: which commit was the last that was moved from it into the file. */
export function noteOf(mark: CommitMark): Uint8Array {
  const note = new Uint8Array(NOTE_BYTES);
  note.set(TAG);
  note.set(mark, TAG.length);
  note.set(checksum(mark), TAG.length + MARK_BYTES);
  return note;
}

/** Null for anything else. */
export function markOf(note: Uint8Array): CommitMark | null {
  if (note.length < NOTE_BYTES) return null;
  const mark = note.slice(TAG.length, TAG.length + MARK_BYTES);
  const expected = noteOf(mark);
  return expected.every((byte, index) => byte === note[index]) ? mark : null;
}

export function logMark(mark: CommitMark): string {
  return `log ${toHex(mark)}`;
}

/**
 * Mark of a database of which no log says anything: change counter, page count, and the counter the page count was right for. In other
 * journal modes than WAL each commit counts; in WAL mode the file itself stays as it is until a log speaks for it.
 */
export function fileMark(header: Uint8Array): string {
  return `file ${toHex(header.subarray(24, 32))} ${toHex(header.subarray(92, 96))}`;
}

/** FNV-1a, twice over: a note is one sector, this only tells it from chance. */
function checksum(bytes: Uint8Array): Uint8Array {
  const sum = new DataView(new ArrayBuffer(8));
  for (const half of [0, 1]) {
    let hash = 0x811c9dc5 ^ half;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    sum.setInt32(half * 4, hash);
  }
  return new Uint8Array(sum.buffer);
}

/** Asked for with each commit. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}
