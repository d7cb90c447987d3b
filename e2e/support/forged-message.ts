// A message as a compromised renderer process could send it: past the preload, straight to main.
import type { SideliteApp } from '../sidelite-app.ts';

/**
 * Returns main's answer to window `index`; `{ refused }` when it fails. `from`: a sub-frame of the page, the first one, instead of the
 * page.
 */
export async function forge(
  app: SideliteApp,
  channel: string,
  argument: unknown,
  { index = 0, from = 'page' }: { readonly index?: number; readonly from?: 'page' | 'sub-frame' } = {},
): Promise<unknown> {
  return app.electron.evaluate(
    async ({ BrowserWindow, ipcMain }, { channel: name, argument: value, index: at, from: sender }) => {
      const pages = BrowserWindow.getAllWindows().filter((window) =>
        window.webContents.getURL().startsWith('app://shell/index.html'),
      );
      // Sort by the order in which they were opened.
      const { webContents } = pages.sort((one, other) => one.id - other.id)[at]!;
      type Handler = (event: object, argument: unknown) => unknown;
      const handler = (ipcMain as unknown as { _invokeHandlers: Map<string, Handler> })._invokeHandlers.get(name);
      const senderFrame = sender === 'page' ? webContents.mainFrame : webContents.mainFrame.frames[0];
      // The real handlers take the answer as a function or as a promise, depending on the version.
      return new Promise<unknown>((resolve) => {
        const event = {
          sender: webContents,
          senderFrame,
          sendReply: () => undefined,
          _reply: resolve,
          _throw: (error: unknown) => resolve({ refused: String(error) }),
        };
        const outcome = Promise.resolve().then(() => handler!(event, value));
        outcome.then(
          (reply) => reply !== undefined && resolve(reply),
          (error: unknown) => resolve({ refused: String(error) }),
        );
      });
    },
    { channel, argument, index, from },
  );
}
