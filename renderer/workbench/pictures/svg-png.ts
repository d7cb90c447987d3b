// An SVG as the bytes of a PNG: painted by the browser, which runs nothing of a picture.

/** Chromium's limit for a canvas; larger pictures are scaled down. */
const MAX_SIDE = 16_000;
const MAX_AREA = 120_000_000;
const SCALE = 2;

/** @throws when the picture cannot be painted */
export async function svgPng(
  svg: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const scale = Math.min(SCALE, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)));
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('The picture is too large to draw.');
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(address);
  }
}
