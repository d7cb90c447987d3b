// Copy and paste for pages, which have no clipboard permission of their own.
import { readClipboardText, writeClipboardText } from '../compat.ts';
import { answer, text } from '../security/trusted-ipc.ts';

export function serveClipboard(): void {
  answer('clipboard.read', () => readClipboardText());
  answer('clipboard.write', async (_window, value) => {
    await writeClipboardText(text(value));
    return null;
  });
}
