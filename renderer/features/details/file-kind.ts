// Kind of file that a value would be, by its first bytes (https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern).
import type { Value } from '#shared/protocol/index.ts';
import { looksLikeJson } from './indent-json.ts';
import { imageHeader } from './image-header.ts';

interface FileKind {
  /** File name extension without the dot. */
  readonly extension: string;
  /** Name that people use for it; null for nothing in particular. */
  readonly label: string | null;
  /** Set if Chromium can play it as sound. */
  readonly audioType: string | null;
}

const text = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

const KINDS: readonly (readonly [
  extension: string,
  label: string,
  audioType: string | null,
  is: (bytes: Uint8Array) => boolean,
])[] = [
  ['pdf', 'PDF document', null, (bytes) => text(bytes, 0, 5) === '%PDF-'],
  ['wav', 'WAV sound', 'audio/wav', (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WAVE'],
  [
    'mp3',
    'MP3 sound',
    'audio/mpeg',
    (bytes) => text(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2),
  ],
  ['ogg', 'Ogg sound', 'audio/ogg', (bytes) => text(bytes, 0, 4) === 'OggS'],
  ['flac', 'FLAC sound', 'audio/flac', (bytes) => text(bytes, 0, 4) === 'fLaC'],
  ['sqlite', 'SQLite database', null, (bytes) => text(bytes, 0, 16) === 'SQLite format 3\0'],
  ['gz', 'gzip file', null, (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b],
  ['zst', 'Zstandard file', null, (bytes) => text(bytes, 0, 4) === '\x28\xb5\x2f\xfd'],
  ['plist', 'binary property list of Apple', null, (bytes) => text(bytes, 0, 8) === 'bplist00'],
  ['zip', 'ZIP file', null, (bytes) => text(bytes, 0, 4) === 'PK\x03\x04'],
];

const MIN_BYTES = 16;

export function fileKind(value: Value): FileKind {
  if (!(value instanceof Uint8Array))
    return {
      extension: typeof value === 'string' && looksLikeJson(value) ? 'json' : 'txt',
      label: null,
      audioType: null,
    };
  const image = imageHeader(value);
  if (image)
    return { extension: image.mediaType.slice('image/'.length).replace('jpeg', 'jpg'), label: null, audioType: null };
  const found = value.length >= MIN_BYTES ? KINDS.find(([, , , is]) => is(value)) : undefined;
  return { extension: found?.[0] ?? 'bin', label: found?.[1] ?? null, audioType: found?.[2] ?? null };
}
