// Copy and paste for pages, which have no clipboard permission of their own.
import { readClipboardText, writeClipboard } from '../compat.ts';
import { answer, listOf } from '../security/trusted-ipc.ts';

export function serveClipboard(): void {
  // The clipboard may contain a password copied elsewhere: only the focused window may read it.
  answer('clipboard.read', ({ browserWindow }) => (browserWindow.isFocused() ? readClipboardText() : null));
  answer('clipboard.write', async (_window, value) => {
    const [plain = '', html = null] = listOf(value, 2);
    await writeClipboard(plain, html);
    return null;
  });
}
