// Requests for the text files of SQL tabs: choosing, reading, saving, and watching them.
import type { FileToken } from '#shared/protocol/files.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { TEXT_FILE_BYTES } from '#shared/text-files.ts';
import type { TextFileSaved } from '#shared/text-files.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { createSourceWatch } from '../files/source-watch.ts';
import type { TextFiles } from '../files/text-files.ts';
import { listOf, text } from '../security/trusted-ipc.ts';
import type { Answer, TrustedIpc } from '../security/trusted-ipc.ts';
import { tell } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

/** Limit for one window. */
const MAX_FOLLOWED = 1000;
const NOT_OPEN = 'This file is no longer open. Choose it again.';

export function serveTextFiles(
  { answer }: TrustedIpc,
  windows: AppWindows,
  files: FileTokens,
  textFiles: TextFiles,
): void {
  answer('textFile.open', async ({ windowId }, argument) => {
    const token = text(argument);
    const path = files.sourcePath(windowId, token);
    if (path === null) return { found: 'unreadable', why: NOT_OPEN };
    const reply = await textFiles.open(windowId, path);
    if (reply.found === 'file') files.takeSourcePath(windowId, token);
    return reply;
  });
  answer('textFile.read', ({ windowId }, argument) => {
    const { token, known } = fieldsOf(argument);
    return textFiles.read(windowId, text(token), typeof known === 'string' ? known : null);
  });
  answer('textFile.save', ({ windowId }, argument) => {
    const { token, bytes, expected } = fieldsOf(argument);
    // Without an expected content any file would be replaced, so nothing but null may stand for that.
    return textFiles.save(windowId, text(token), bytesOf(bytes), expected === null ? null : text(expected));
  });
  answer('textFile.saveAs', async ({ windowId }, argument): Promise<TextFileSaved> => {
    const { token, bytes } = fieldsOf(argument);
    try {
      const path = await files.writeSink(windowId, text(token), bytesOf(bytes));
      const { file, ...reply } = await textFiles.open(windowId, path).then((opened) => {
        if (opened.found !== 'file') throw new Error(opened.why);
        return opened;
      });
      return { file, content: reply.content };
    } catch (thrown) {
      return { why: toAppError(thrown).message, isConflict: false };
    }
  });
  serveWatch(answer, windows, textFiles);
}

function serveWatch(answer: Answer, windows: AppWindows, textFiles: TextFiles): void {
  const known = new WeakSet<AppWindow>();
  // A token is of one window, so it names the window, too.
  const windowOf = (token: FileToken): AppWindow | undefined =>
    windows.all.find(({ windowId }) => textFiles.pathOf(windowId, token) !== null);
  const watch = createSourceWatch(
    (token) => {
      const window = windowOf(token);
      return window ? textFiles.pathOf(window.windowId, token) : null;
    },
    (token) => {
      const window = windowOf(token);
      if (window) void tell(window, 'textFile.touched', () => token, token);
    },
  );
  answer('textFile.follow', (window, argument) => {
    const tokens = listOf(argument, MAX_FOLLOWED);
    const { id } = window.browserWindow.webContents;
    if (!known.has(window)) window.browserWindow.on('closed', () => watch.follow(id, []));
    known.add(window);
    textFiles.keepOnly(window.windowId, tokens);
    watch.follow(
      id,
      tokens.filter((token) => textFiles.pathOf(window.windowId, token) !== null),
    );
  });
}

const fieldsOf = (argument: unknown): Readonly<Record<string, unknown>> =>
  typeof argument === 'object' && argument !== null ? (argument as Record<string, unknown>) : {};

/** @throws Error if it is not what an editor can hold */
function bytesOf(argument: unknown): Uint8Array {
  if (argument instanceof Uint8Array && argument.byteLength <= 4 * TEXT_FILE_BYTES) return argument;
  throw new Error('The content of a text file must be bytes.');
}
