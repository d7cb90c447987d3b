// Text files of SQL tabs in a plain browser: files on disk where the browser has the File System Access API, otherwise files that were read once
// and are saved as downloads. After a reload the page no longer has its files.
import type { FileToken } from '#shared/protocol/files.ts';
import type { OpenedFile, TextFileShell } from '#shared/shell-api.ts';
import { TEXT_FILE_BYTES } from '#shared/text-files.ts';
import type { TextFileReply, TextFileSaved } from '#shared/text-files.ts';
import { addDownload, addFile, chosenFile, download, forgetFile, takeDownload } from './web-files.ts';

/** wicg.github.io/file-system-access: Chromium has it, in pages that are not in another origin's frame. */
interface Pickers {
  showOpenFilePicker?(options: object): Promise<readonly FileSystemFileHandle[]>;
  showSaveFilePicker?(options: object): Promise<FileSystemFileHandle>;
}

const TYPES = [{ description: 'SQL files', accept: { 'application/sql': ['.sql'] } }];
const GONE = 'A browser does not remember files across a reload. Save the text under a name, or open the file again.';

/** Handles of files on disk. A file without one was chosen or dropped, and can be read but not written. */
const handles = new Map<FileToken, FileSystemFileHandle>();
const names = new Map<FileToken, string>();

export const webTextFiles: TextFileShell = {
  async choose() {
    const { showOpenFilePicker } = window as Pickers;
    if (!showOpenFilePicker) return chooseByInput();
    const chosen = await unlessCanceled(showOpenFilePicker({ types: TYPES, multiple: true }));
    return Promise.all((chosen ?? []).map(openedOf));
  },

  async chooseTarget(suggestedName) {
    const { showSaveFilePicker } = window as Pickers;
    if (!showSaveFilePicker) return addDownload(suggestedName);
    const handle = await unlessCanceled(showSaveFilePicker({ types: TYPES, suggestedName }));
    return handle && openedOf(handle);
  },

  async open(token) {
    const handle = handles.get(token);
    // A file on disk keeps its token for as long as the page lives.
    if (handle) return read(token, null);
    const file = chosenFile(token);
    if (file.size > TEXT_FILE_BYTES) return tooBig(file.name);
    const bytes = new Uint8Array(await file.arrayBuffer());
    names.set(token, file.name);
    forgetFile(token);
    return replyOf(token, file.name, bytes, null);
  },

  read,

  async save(token, bytes, expected) {
    const handle = handles.get(token);
    if (!handle) {
      const name = names.get(token);
      if (name === undefined) return { why: GONE, isConflict: false };
      download(name, bytes);
      return savedOf(token, name, bytes);
    }
    const now = await read(token, null);
    if (now.found === 'file' && expected !== null && now.content !== expected)
      return { why: `“${handle.name}” was changed by another program, so it was not replaced.`, isConflict: true };
    return write(token, handle, bytes);
  },

  async saveAs(target, bytes) {
    const handle = handles.get(target);
    if (handle) return write(target, handle, bytes);
    const name = takeDownload(target);
    if (name === null) return { why: GONE, isConflict: false };
    names.set(target, name);
    download(name, bytes);
    return savedOf(target, name, bytes);
  },

  follow: () => Promise.resolve(),
  onTouched: () => undefined,
};

async function openedOf(handle: FileSystemFileHandle): Promise<OpenedFile> {
  for (const [token, known] of handles) if (await known.isSameEntry(handle)) return { token, fileName: handle.name };
  const { token } = addFile(await handle.getFile()); // for the worker, if the user imports the file instead of editing it
  handles.set(token, handle);
  return { token, fileName: handle.name };
}

async function read(token: FileToken, known: string | null): Promise<TextFileReply> {
  const handle = handles.get(token);
  if (!handle) return names.has(token) ? unchanged(token, known) : { found: 'missing', why: GONE };
  try {
    const file = await handle.getFile();
    if (file.size > TEXT_FILE_BYTES) return tooBig(file.name);
    return await replyOf(token, file.name, new Uint8Array(await file.arrayBuffer()), known);
  } catch (thrown) {
    const isMissing = thrown instanceof DOMException && thrown.name === 'NotFoundError';
    return isMissing
      ? { found: 'missing', why: `“${handle.name}” no longer exists: it was moved, renamed, or deleted.` }
      : { found: 'unreadable', why: `“${handle.name}” could not be read.` };
  }
}

/** A file that was read once stays as it was. */
function unchanged(token: FileToken, known: string | null): TextFileReply {
  const name = names.get(token)!;
  const file = { token, fileName: name, displayPath: name };
  return known === null ? { found: 'missing', why: GONE } : { found: 'file', file, content: known, bytes: null };
}

async function replyOf(
  token: FileToken,
  fileName: string,
  bytes: Uint8Array,
  known: string | null,
): Promise<TextFileReply> {
  const { file, content } = await savedOf(token, fileName, bytes);
  return { found: 'file', file, content, bytes: content === known ? null : bytes };
}

async function write(token: FileToken, handle: FileSystemFileHandle, bytes: Uint8Array): Promise<TextFileSaved> {
  try {
    // The browser replaces the file when the stream is closed, not before.
    const stream = await handle.createWritable();
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
    await stream.close();
    return await savedOf(token, handle.name, bytes);
  } catch {
    return { why: `“${handle.name}” was not written: the browser does not allow it.`, isConflict: false };
  }
}

async function savedOf(
  token: FileToken,
  fileName: string,
  bytes: Uint8Array,
): Promise<Extract<TextFileSaved, { content: string }>> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  const content = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { file: { token, fileName, displayPath: fileName }, content };
}

const tooBig = (fileName: string): TextFileReply => ({
  found: 'too-big',
  why: `“${fileName}” is larger than ${TEXT_FILE_BYTES / 1024 / 1024} MB, which is more than the editor can hold. Import it instead.`,
});

function chooseByInput(): Promise<readonly OpenedFile[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.sql';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])].map(addFile)), { once: true });
    input.addEventListener('cancel', () => resolve([]), { once: true });
    input.click();
  });
}

/** Null if the user has canceled. */
async function unlessCanceled<T>(picked: Promise<T>): Promise<T | null> {
  try {
    return await picked;
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}
