// Converts a picture to WebP for `page.evaluate`, which takes a fifth of the bytes. Chromium can write it, so no library is needed.

/** Runs in the page. From and to base64. */
export async function toWebp(png: string): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  const codes = new Uint8Array(await webp.arrayBuffer());
  return btoa(codes.reduce((text, code) => text + String.fromCharCode(code), ''));
}
