// Copy and paste for pages, which have no clipboard permission of their own.
import { readClipboardText, writeClipboard, writeClipboardImage } from '../compat.ts';
import { listOf } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';

/** Far larger than any picture that Sidelite makes. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

export function serveClipboard({ answer }: TrustedIpc): void {
  // The clipboard may contain a password copied elsewhere: only the focused window may read it.
  answer('clipboard.read', ({ browserWindow }) => (browserWindow.isFocused() ? readClipboardText() : null));
  answer('clipboard.write', async (_window, value) => {
    const [plain = '', html = null] = listOf(value, 2);
    await writeClipboard(plain, html);
  });
  answer('clipboard.writeImage', async (_window, value) => {
    if (!(value instanceof Uint8Array) || value.length > MAX_IMAGE_BYTES) throw new Error('This is not a picture.');
    await writeClipboardImage(value);
  });
}
