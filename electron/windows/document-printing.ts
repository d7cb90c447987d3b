// Whether the print dialog of a document is open. Electron 22 crashes when a window is closed while its print dialog is open; Chromium
// tells the frame that has the document when the dialog opens, and when it has ended.
import { app } from 'electron';
import type { Session, WebContents, WebFrameMain } from 'electron';
import type { Lifetime } from '../lifetime.ts';

/** How long to wait for a busy frame: the script of its document may never end. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Run in each frame. */
const WATCH = `addEventListener('beforeprint', () => {
  const ended = new Promise((resolve) => addEventListener('afterprint', () => resolve(), { once: true }));
  globalThis.sidelitePrinting = ended;
  void ended.then(() => delete globalThis.sidelitePrinting);
}); 0`;
const IS_PRINTING = `'sidelitePrinting' in globalThis`;
const ENDED = `Promise.resolve(globalThis.sidelitePrinting)`;

/** Call before the first document is opened. */
export function watchPrinting(documents: Session, lifetime: Lifetime): void {
  lifetime.on(app, 'web-contents-created', (_event: unknown, contents: WebContents) => {
    if (contents.session !== documents) return;
    contents.on('frame-created', (_frameEvent, { frame }) => {
      frame?.on('dom-ready', () => void frame.executeJavaScript(WATCH).catch(() => undefined));
    });
  });
}

/** Resolves when no print dialog is open for a document in the page. */
export async function whenPrinted({ mainFrame }: WebContents): Promise<void> {
  await Promise.all(mainFrame.framesInSubtree.map(whenFramePrinted));
}

async function whenFramePrinted(frame: WebFrameMain): Promise<void> {
  // A frame that is gone has no dialog.
  const ask = (script: string): Promise<unknown> => frame.executeJavaScript(script).catch(() => false);
  if ((await inTime(ask(IS_PRINTING))) === true) await ask(ENDED);
}

function inTime(answer: Promise<unknown>): Promise<unknown> {
  let late: NodeJS.Timeout | undefined;
  const givenUp = new Promise<null>((resolve) => (late = setTimeout(() => resolve(null), ANSWER_TIMEOUT_MS)));
  return Promise.race([answer, givenUp]).finally(() => clearTimeout(late));
}
