// The only file that knows which Electron runs: one function for each difference between 22 (our test bench) and 45 (the product).
// Imports nothing but `electron`, because the sandboxed preload uses it too.
import { app, ClipboardItem, clipboard, nativeImage, safeStorage, utilityProcess, webUtils } from 'electron';
import type {
  ContextMenuParams,
  ForkOptions,
  Protocol,
  ProtocolRequest,
  ProtocolResponse,
  UtilityProcess,
  WebContents,
} from 'electron';

export interface SchemeReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

interface BufferProtocol {
  registerBufferProtocol(
    scheme: string,
    handler: (request: ProtocolRequest, done: (reply: ProtocolResponse) => void) => void,
  ): void;
}

/** `protocol.handle` exists since 25; before, replies are buffers with their headers beside them. @param on the protocol of a session */
export function serveScheme(
  scheme: string,
  respond: (method: string, url: string) => Promise<SchemeReply>,
  on: Protocol,
): void {
  if (typeof on.handle === 'function') {
    on.handle(scheme, async (request) => {
      const { status, headers, body } = await respond(request.method, request.url);
      return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
    });
    return;
  }
  (on as BufferProtocol).registerBufferProtocol(scheme, (request, done) => {
    void respond(request.method, request.url).then(({ status, headers, body }) =>
      done({
        statusCode: status,
        headers,
        mimeType: headers['Content-Type'] ?? 'application/octet-stream',
        data: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      }),
    );
  });
}

export interface ConsoleMessage {
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
  readonly source: string;
}

const LEVELS = ['debug', 'info', 'warning', 'error'] as const;

/** One event object since 35, positional arguments before; a listener that declares no parameters receives whichever form is used. */
export function onConsoleMessage(contents: WebContents, listener: (message: ConsoleMessage) => void): void {
  contents.on('console-message', (...args: unknown[]) => {
    if (args.length === 1) {
      const event = args[0] as {
        level: ConsoleMessage['level'];
        message: string;
        sourceId: string;
        lineNumber: number;
      };
      listener({ level: event.level, message: event.message, source: `${event.sourceId}:${event.lineNumber}` });
    } else {
      const [, level, message, line, sourceId] = args as [unknown, number, string, number, string];
      listener({ level: LEVELS[level] ?? 'info', message, source: `${sourceId}:${line}` });
    }
  });
}

/**
 * Before Electron 25, a request that arrives while its frame is going away has an event without the function that answers it, and
 * Electron's own attempt to answer became an unhandled rejection in main. No caller waits for that answer.
 */
export function allowUnanswered(event: object): void {
  const native = event as { sendReply?: unknown };
  if (native.sendReply === undefined) native.sendReply = () => undefined;
}

/** Node-API 10, which the native engine as published needs, is in Electron from 36 on. */
const HAS_NODE_API_10 = Number(process.versions.napi) >= 10;

/**
 * Folder of the bundles for Electron's Node, below `dist`. Those for a Node before that bring what it lacks, and the engine compiled for it
 * (build/legacy).
 */
export const NATIVE_FOLDER = HAS_NODE_API_10 ? 'native' : 'native-legacy';

/** Whether benchmarks measure in Electron's Node what users run. Before, it can load neither the engine as published nor those of others. */
export const measuresInUtilityProcess = (): boolean => HAS_NODE_API_10;

/** A utility process starts with an ES module since 28. Where it may be older, a script beside the module imports it. */
export function forkModule(entry: string, args: string[], options: ForkOptions): UtilityProcess {
  return utilityProcess.fork(HAS_NODE_API_10 ? entry : entry.replace(/\.mjs$/, '.cjs'), args, options);
}

/**
 * Whether Electron encrypts with a key that only this user's programs get. On Linux without a keyring it uses a password from its sources,
 * which protects nothing; versions that do not say so (before 25) then offer no encryption.
 */
export function hasOwnKey(): boolean {
  const { getSelectedStorageBackend } = safeStorage as Partial<typeof safeStorage>;
  return process.platform !== 'linux' || getSelectedStorageBackend?.() !== 'basic_text';
}

/** Main's clipboard became asynchronous in 44; `await` handles both. */
export async function readClipboardText(): Promise<string> {
  return await clipboard.readText();
}

/** Writes both formats in one entry, with `ClipboardItem` from 44 on. @param html null: text only */
export async function writeClipboard(text: string, html: string | null): Promise<void> {
  if (html === null) await clipboard.writeText(text);
  else if (ClipboardItem as typeof ClipboardItem | undefined)
    await clipboard.write([new ClipboardItem({ 'text/plain': text, 'text/html': html })]);
  else (clipboard.write as unknown as (content: object) => void)({ text, html });
}

/** @throws when the bytes are no PNG. `writeImage` gave way to `ClipboardItem` in 44. */
export async function writeClipboardImage(png: Uint8Array): Promise<void> {
  const image = nativeImage.createFromBuffer(Buffer.from(png));
  if (image.isEmpty()) throw new Error('This is not a picture.');
  if (ClipboardItem as typeof ClipboardItem | undefined)
    await clipboard.write([new ClipboardItem({ 'image/png': new Blob([new Uint8Array(png)], { type: 'image/png' }) })]);
  else (clipboard as unknown as { writeImage(image: object): void }).writeImage(image);
}

/** Preload only. `File.path` went in 32, `webUtils` came in 29. Empty for a file that is not on disk. */
export function pathOfFile(file: object): string {
  return (
    (webUtils as typeof webUtils | undefined)?.getPathForFile(file as never) ?? (file as { path?: string }).path ?? ''
  );
}

/** Only Windows and macOS have such a list (electronjs.org/docs/latest/tutorial/recent-documents). */
const HAS_RECENT_LIST = process.platform === 'win32' || process.platform === 'darwin';

export function tellSystemRecent(path: string): void {
  if (HAS_RECENT_LIST) app.addRecentDocument(path);
}

export function forgetRecentInSystem(): void {
  if (HAS_RECENT_LIST) app.clearRecentDocuments();
}

/** Whether a menu is asked for in text that is no form field: 45 says it in `formControlType`, 22 in `inputFieldType`, for text areas too. */
export const isRichText = (params: ContextMenuParams): boolean =>
  params.isEditable &&
  ((params as Partial<ContextMenuParams>).formControlType ??
    (params as { readonly inputFieldType?: string }).inputFieldType) === 'none';
