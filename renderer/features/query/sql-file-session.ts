// The file behind the text of an SQL tab, as long as the tab lives: saving, and handling changes by other programs.
import type { Text } from '@codemirror/state';
import { create } from 'zustand';
import type { TextFileReply } from '#shared/text-files.ts';
import { visibleName } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { confirm, notify, updateTab, useStore } from '../../state/store.ts';
import { announce } from '../../ui/announcer.tsx';
import { lineEndsOf } from '../../workbench/cells/line-ends.ts';
import { isQueryTab, type QueryTab, type TabFile } from '../../workbench/tabs/query.ts';
import { notText, onSqlFileTouched } from '../../workbench/files/sql-files.ts';
import type { TabEditor } from '../../workbench/text/tab-editor.ts';
import { asEdited, asStoredText, decodeText, encodeText, encodingLabel } from '../../workbench/files/text-encoding.ts';
import type { DecodedText } from '../../workbench/files/text-encoding.ts';

/** The file as another program left it. */
interface Theirs extends DecodedText {
  readonly content: string;
}

export type FileProblem =
  /** Both the text in the editor and the file were changed. */
  | { readonly kind: 'changed'; readonly theirs: Theirs }
  /** The text exists only in the editor. */
  | { readonly kind: 'gone'; readonly why: string };

/** The current content of the file, as far as is known. */
interface Saved {
  /** The text in the editor's form, with line feeds. */
  readonly doc: Text;
  /** The text as stored. Kept only if line ends are mixed; otherwise `doc` is enough. */
  readonly stored: string | null;
}

export class SqlFileSession {
  readonly useProblem = create<{ readonly problem: FileProblem | null }>(() => ({ problem: null }));
  readonly #tabId: string;
  readonly #editor: TabEditor;
  readonly #stopListening: () => void;
  /** Null until the file was read after a restart. */
  #saved: Saved | null = null;
  /** Reading and saving come one after the other, so that a save is not taken for a change by another program. */
  #turn: Promise<unknown> = Promise.resolve();
  /** A read that has not begun: reading a file that is being written takes a while, and one more read sees all of its changes. */
  #nextLook: Promise<void> | null = null;
  #disposed = false;

  constructor(tabId: string, editor: TabEditor) {
    this.#tabId = tabId;
    this.#editor = editor;
    this.#stopListening = onSqlFileTouched((token) => {
      if (this.#file && (token === null || token === this.#file.token)) void this.look();
    });
    if (this.#file) void this.look();
  }

  /** Call after each edit. */
  edited(doc: Text): void {
    if (this.#saved) this.#setUnsaved(!doc.eq(this.#saved.doc) || this.#problem?.kind === 'gone');
    else if (this.#file) this.#setUnsaved(true);
  }

  /** Reads the file again if it has changed. */
  look(): Promise<void> {
    this.#nextLook ??= this.#inTurn(() => {
      this.#nextLook = null;
      return this.#look();
    }).catch(notifyFailure);
    return this.#nextLook;
  }

  /** Resolves with false if the text was not saved. */
  save(): Promise<boolean> {
    return this.#inTurn(() => (this.#file ? this.#save(this.#file) : this.#saveAs())).catch(failed);
  }

  saveAs(): Promise<boolean> {
    return this.#inTurn(() => this.#saveAs()).catch(failed);
  }

  text(): string {
    return this.#doc.toString();
  }

  /** The text in the editor replaces the file with the next save. */
  keepMine(): void {
    const [problem, file] = [this.#problem, this.#file];
    if (problem?.kind !== 'changed' || !file) return;
    this.#adopt(file, problem.theirs, this.#docOf(problem.theirs.text));
    this.#editor.focus();
  }

  /** Replaces the text in the editor, which Undo can restore. */
  takeTheirs(): void {
    const [problem, file] = [this.#problem, this.#file];
    if (problem?.kind === 'changed' && file) this.#reload(file, problem.theirs);
    this.#editor.focus();
  }

  dispose(): void {
    this.#disposed = true;
    this.#stopListening();
  }

  async #look(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    const reply = await shell.textFiles.read(file.token, this.#saved ? file.content : null);
    if (this.#disposed || this.#file?.token !== file.token) return;
    if (reply.found !== 'file') return this.#showGone(reply);
    if (reply.bytes === null) {
      // The file is unchanged, or back to what it was.
      if (this.#problem) this.#setProblem(null);
      return this.edited(this.#doc);
    }
    const decoded = decodeText(reply.bytes);
    if (!decoded) return this.#showGone({ found: 'unreadable', why: notText(file.fileName) });
    await this.#compare(this.#file, { ...decoded, content: reply.content });
  }

  /** Decides whether the file is what was saved, what the editor has, or a change that the user has to be asked about. */
  async #compare(file: TabFile, theirs: Theirs): Promise<void> {
    const doc = this.#doc;
    const text = this.#docOf(theirs.text);
    if (doc.eq(text) || theirs.content === file.content) return this.#adopt(file, theirs, text);
    const isClean = this.#saved ? doc.eq(this.#saved.doc) : await this.#isAsSaved(file, doc);
    if (this.#disposed) return;
    if (isClean && this.#doc === doc) this.#reload(file, theirs);
    else {
      this.#setProblem({ kind: 'changed', theirs });
      this.#setUnsaved(true);
    }
  }

  /** After a restart, only the hash of the file is known, and a crash may have stored text and hash at different times. */
  async #isAsSaved({ encoding, lineEnds, content }: TabFile, doc: Text): Promise<boolean> {
    if (lineEnds === 'mixed') return false;
    const encoded = encodeText(asStoredText(doc.toString(), lineEnds, null), encoding);
    return 'bytes' in encoded && (await contentOf(encoded.bytes)) === content;
  }

  #reload(file: TabFile, theirs: Theirs): void {
    this.#editor.replaceText(asEdited(theirs.text));
    this.#adopt(file, theirs, this.#doc);
    announce(`${visibleName(file.fileName)} was reloaded`);
  }

  /** Treats this as the content of the file from now on. */
  #adopt(file: TabFile, { text, encoding, content }: Theirs, doc: Text): void {
    const lineEnds = lineEndsOf(text);
    this.#saved = { doc, stored: lineEnds === 'mixed' ? text : null };
    this.#setProblem(null);
    this.#update({ ...file, encoding, lineEnds, content, isUnsaved: !this.#doc.eq(doc) });
  }

  #showGone({ why }: Exclude<TextFileReply, { found: 'file' }>): void {
    this.#setProblem({ kind: 'gone', why });
    this.#setUnsaved(true);
  }

  async #save(file: TabFile): Promise<boolean> {
    const doc = this.#doc;
    if (!file.isUnsaved && this.#saved && !this.#problem) return true;
    const bytes = await this.#bytesOf(file, doc);
    if (!bytes) return false;
    const reply = await shell.textFiles.save(file.token, bytes.bytes, file.content);
    if ('why' in reply) {
      if (reply.isConflict) await this.#look();
      // If the user decided about the change while the file was read again, no message is needed.
      const isKnown = this.#problem !== null || this.#file?.content !== file.content;
      if (!reply.isConflict || !isKnown) notify({ tone: 'error', topic: 'sql-file', text: reply.why });
      return false;
    }
    this.#saveDone({ ...file, ...reply.file, encoding: bytes.encoding, content: reply.content }, doc, bytes.stored);
    return true;
  }

  async #saveAs(): Promise<boolean> {
    const tab = this.#tab;
    if (!tab) return false;
    const doc = this.#doc;
    const target = await shell.textFiles.chooseTarget(tab.file?.fileName ?? `${fileNameOf(tab.title)}.sql`);
    if (!target) return false;
    const former = tab.file ?? { encoding: 'utf-8' as const, lineEnds: 'lf' as const };
    const bytes = await this.#bytesOf({ ...former, fileName: target.fileName }, doc);
    if (!bytes) return false;
    const reply = await shell.textFiles.saveAs(target.token, bytes.bytes);
    if ('why' in reply) {
      notify({ tone: 'error', topic: 'sql-file', text: reply.why });
      return false;
    }
    const { lineEnds } = former;
    this.#saveDone(
      { ...reply.file, lineEnds, encoding: bytes.encoding, content: reply.content, isUnsaved: false },
      doc,
      bytes.stored,
    );
    return true;
  }

  #saveDone(file: TabFile, doc: Text, stored: string): void {
    this.#saved = { doc, stored: file.lineEnds === 'mixed' ? stored : null };
    this.#setProblem(null);
    this.#update({ ...file, isUnsaved: !this.#doc.eq(doc) });
    announce(`${visibleName(file.fileName)} was saved`);
  }

  /** Null if the user refuses another encoding, when only that has all of the text's characters. */
  async #bytesOf(
    { encoding, lineEnds, fileName }: Pick<TabFile, 'encoding' | 'lineEnds' | 'fileName'>,
    doc: Text,
  ): Promise<{ readonly bytes: Uint8Array; readonly encoding: TabFile['encoding']; readonly stored: string } | null> {
    const stored = asStoredText(doc.toString(), lineEnds, this.#saved?.stored ?? null);
    const encoded = encodeText(stored, encoding);
    if ('bytes' in encoded) return { bytes: encoded.bytes, encoding, stored };
    const agreed = await confirm({
      title: `Save “${visibleName(fileName)}” as UTF-8?`,
      body: `The file is in ${encodingLabel(encoding)}, which does not have the character “${encoded.missing}”.`,
      confirmLabel: 'Save as UTF-8',
    });
    const unicode = encodeText(stored, 'utf-8');
    return agreed && 'bytes' in unicode ? { bytes: unicode.bytes, encoding: 'utf-8', stored } : null;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  get #tab(): QueryTab | null {
    const tab = useStore.getState().tabs.find(({ id }) => id === this.#tabId);
    return isQueryTab(tab) ? tab : null;
  }

  get #file(): TabFile | null {
    return this.#tab?.file ?? null;
  }

  get #doc(): Text {
    return this.#editor.state.doc;
  }

  #docOf(stored: string): Text {
    return this.#editor.state.toText(stored);
  }

  get #problem(): FileProblem | null {
    return this.useProblem.getState().problem;
  }

  #setProblem(problem: FileProblem | null): void {
    if (problem !== this.#problem) this.useProblem.setState({ problem });
  }

  #setUnsaved(isUnsaved: boolean): void {
    const file = this.#file;
    if (file && file.isUnsaved !== isUnsaved) this.#update({ ...file, isUnsaved });
  }

  #update(file: TabFile): void {
    updateTab<QueryTab>(this.#tabId, { file, title: file.fileName });
  }
}

/** The window shows why. */
function failed(thrown: unknown): false {
  notifyFailure(thrown);
  return false;
}

/** SHA-256 in hexadecimal, as the main process reports it. */
async function contentOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Removes characters that some systems do not allow in file names. */
const fileNameOf = (title: string): string => title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').trim() || 'query';
