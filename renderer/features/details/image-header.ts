// Reads type and size from the first bytes of an image, before anything decodes it.

interface ImageHeader {
  readonly mediaType: string;
  readonly size: { readonly width: number; readonly height: number } | null;
}

interface Kind {
  readonly mediaType: string;
  readonly signature: readonly (number | null)[];
  readonly size: (view: DataView) => readonly [width: number, height: number] | null;
}

const KINDS: readonly Kind[] = [
  { mediaType: 'image/png', signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], size: pngSize },
  { mediaType: 'image/jpeg', signature: [0xff, 0xd8, 0xff], size: jpegSize },
  { mediaType: 'image/gif', signature: [0x47, 0x49, 0x46, 0x38], size: gifSize },
  {
    mediaType: 'image/webp',
    signature: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
    size: webpSize,
  },
];

/** Null: not an image that can be shown. SVG does not count: it is a document. */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const kind = KINDS.find(({ signature }) => signature.every((byte, index) => byte === null || bytes[index] === byte));
  if (!kind) return null;
  const size = kind.size(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return { mediaType: kind.mediaType, size: size && { width: size[0], height: size[1] } };
}

/** Size from the first chunk (w3.org/TR/png-3, 11.2.1). */
function pngSize(view: DataView): readonly [number, number] | null {
  return view.byteLength < 24 ? null : [view.getUint32(16), view.getUint32(20)];
}

/** Size from the first frame header, after any other segments (ITU-T T.81, B.2.2). */
function jpegSize(view: DataView): readonly [number, number] | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at++;
    // Markers without a length: restarts, start and end of an image, TEM.
    else if ((marker >= 0xd0 && marker <= 0xd9) || marker === 0x01) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}

/** Size of the screen, or of the first frame if that is larger: decoders then make the screen as large. */
function gifSize(view: DataView): readonly [number, number] | null {
  if (view.byteLength < 13) return null;
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (at + 9 < view.byteLength && view.getUint8(at) === 0x21) {
    at += 2;
    while (at < view.byteLength && view.getUint8(at) > 0) at += view.getUint8(at) + 1;
    at++;
  }
  if (at + 9 >= view.byteLength || view.getUint8(at) !== 0x2c) return [width, height];
  return [
    Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true)),
    Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true)),
  ];
}

/** Size from the first chunk: lossy, lossless or extended (RFC 9649). */
function webpSize(view: DataView): readonly [number, number] | null {
  if (view.byteLength < 30) return null;
  const chunk = view.getUint32(12);
  if (chunk === 0x56503820) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (chunk !== 0x56503858) return null;
  const uint24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
  return [uint24(24) + 1, uint24(27) + 1];
}
