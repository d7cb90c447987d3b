import { EditorState } from '@codemirror/state';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TextFileReply, TextFileSaved } from '#shared/text-files.ts';
import { smallestChange } from '../../editor/smallest-change.ts';
import { openTab, useStore } from '../../state/store.ts';
import { LIVE_BY_ITSELF, type QueryTab, type TabFile } from '../../workbench/tabs/query.ts';
import type { TabEditor } from '../../workbench/text/tab-editor.ts';

/** The file on disk, as the main process serves it; null: removed. */
const disk = vi.hoisted(() => ({
  bytes: null as Uint8Array | null,
  touched: (): void => undefined,
  reads: 0,
  /** Called while the file is being read. */
  reading: (): void => undefined,
  /** Called while a file is being written. */
  writing: (): void => undefined,
}));

async function contentOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const FILE = { token: 'f', fileName: 'report.sql', displayPath: '~/report.sql' };

vi.mock('../../connection/shell.ts', () => ({
  shell: {
    textFiles: {
      async read(_token: string, known: string | null): Promise<TextFileReply> {
        disk.reads++;
        if (!disk.bytes) return { found: 'missing', why: 'It no longer exists.' };
        const content = await contentOf(disk.bytes);
        disk.reading();
        return { found: 'file', file: FILE, content, bytes: content === known ? null : disk.bytes };
      },
      async save(_token: string, bytes: Uint8Array, expected: string | null): Promise<TextFileSaved> {
        if (disk.bytes && expected !== null && (await contentOf(disk.bytes)) !== expected)
          return { why: 'It was changed.', isConflict: true };
        disk.bytes = bytes;
        disk.writing();
        return { file: FILE, content: await contentOf(bytes) };
      },
    },
  },
}));
vi.mock('../../state/databases.ts', () => ({
  notifyFailure: (thrown: unknown) => {
    throw thrown;
  },
}));
vi.mock('../../ui/announcer.tsx', () => ({ announce: () => undefined }));
vi.mock('../../workbench/files/sql-files.ts', () => ({
  notText: () => 'It is no text.',
  onSqlFileTouched(listener: (token: null) => void) {
    disk.touched = () => listener(null);
    return () => undefined;
  },
}));
const { SqlFileSession } = await import('./sql-file-session.ts');

/** The part of an editor that the session needs, without a page. */
class Editor {
  state: EditorState;
  session: InstanceType<typeof SqlFileSession> | null = null;

  constructor(sql: string) {
    this.state = EditorState.create({ doc: sql });
  }

  replaceText(text: string): void {
    this.state = this.state.update({ changes: smallestChange(this.state.doc, text) ?? [] }).state;
    this.session?.edited(this.state.doc);
  }

  focus(): void {}
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const onDisk = (): string | null => disk.bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(disk.bytes);

interface Shown {
  readonly editor: Editor;
  readonly session: InstanceType<typeof SqlFileSession>;
  readonly tab: () => QueryTab;
}

/** A tab whose file contained `saved` when it was read, and whose text is `sql` now. */
async function show(saved: string, sql: string, own: Partial<TabFile> = {}): Promise<Shown> {
  const file: TabFile = {
    ...FILE,
    encoding: 'utf-8',
    lineEnds: 'lf',
    content: await contentOf(utf8(saved)),
    isUnsaved: false,
    ...own,
  };
  const id = openTab<QueryTab>({
    kind: 'query', database: 'd', title: 'report.sql', sql, split: 0.5, live: LIVE_BY_ITSELF, parameters: {}, file,
  }); // prettier-ignore
  const editor = new Editor(sql);
  const session = new SqlFileSession(id, editor as unknown as TabEditor);
  editor.session = session;
  const tab = (): QueryTab => useStore.getState().tabs.find((one) => one.id === id) as QueryTab;
  await settled(session);
  return { editor, session, tab };
}

/** Waits for earlier work. */
const settled = (session: InstanceType<typeof SqlFileSession>): Promise<void> => session.look();

const problem = ({ session }: Shown): string | null => session.useProblem.getState().problem?.kind ?? null;

async function touch(shown: Shown, text: string | null): Promise<void> {
  disk.bytes = text === null ? null : utf8(text);
  disk.touched();
  await settled(shown.session);
}

beforeEach(() => {
  useStore.setState({ tabs: [], closedTabs: [], questions: [] });
  disk.bytes = utf8('a\nb\n');
});

it('reloads a clean text silently, keeps an edited one, and asks only then', async () => {
  const shown = await show('a\nb\n', 'a\nb\n');
  await touch(shown, 'a\nB\n');
  expect(shown.editor.state.doc.toString()).toBe('a\nB\n');
  expect([problem(shown), shown.tab().file!.isUnsaved]).toEqual([null, false]);

  shown.editor.replaceText('mine');
  expect(shown.tab().file!.isUnsaved).toBe(true);
  await touch(shown, 'theirs');
  expect([problem(shown), shown.editor.state.doc.toString()]).toEqual(['changed', 'mine']);
  expect(await shown.session.save()).toBe(false);
  expect(onDisk()).toBe('theirs');

  shown.session.keepMine();
  expect([problem(shown), shown.tab().file!.isUnsaved]).toEqual([null, true]);
  expect(await shown.session.save()).toBe(true);
  expect([onDisk(), shown.tab().file!.isUnsaved]).toEqual(['mine', false]);

  shown.editor.replaceText('mine again');
  await touch(shown, 'theirs again');
  shown.session.takeTheirs();
  expect([problem(shown), shown.editor.state.doc.toString()]).toEqual([null, 'theirs again']);
  expect(shown.tab().file!.isUnsaved).toBe(false);
});

it('says nothing about a conflict that was decided while the file was read again', async () => {
  const shown = await show('a\nb\n', 'a\nb\n');
  shown.editor.replaceText('mine');
  await touch(shown, 'theirs');
  disk.reading = () => shown.session.keepMine();
  expect(await shown.session.save()).toBe(false);
  disk.reading = () => undefined;
  expect(useStore.getState().notices).toEqual([]);
  expect([problem(shown), onDisk()]).toEqual([null, 'theirs']);
  expect(await shown.session.save()).toBe(true);
  expect(onDisk()).toBe('mine');
});

it('a removed file leaves the text here unsaved until it is saved or comes back', async () => {
  const shown = await show('a\nb\n', 'a\nb\n');
  await touch(shown, null);
  expect([problem(shown), shown.tab().file!.isUnsaved]).toEqual(['gone', true]);
  await touch(shown, 'a\nb\n');
  expect([problem(shown), shown.tab().file!.isUnsaved]).toEqual([null, false]);
  await touch(shown, null);
  expect(await shown.session.save()).toBe(true);
  expect([onDisk(), problem(shown)]).toEqual(['a\nb\n', null]);
});

it('after a restart, only a text that is provably what was saved is replaced by a changed file', async () => {
  disk.bytes = utf8('theirs\n');
  const clean = await show('a\nb\n', 'a\nb\n');
  expect([problem(clean), clean.editor.state.doc.toString()]).toEqual([null, 'theirs\n']);
  // The text was stored, but a crash kept its mark as unsaved from being stored.
  const edited = await show('a\nb\n', 'a\nmine\n');
  expect([problem(edited), edited.editor.state.doc.toString()]).toEqual(['changed', 'a\nmine\n']);
  expect(edited.tab().file!.isUnsaved).toBe(true);
  // Both texts became the same.
  const same = await show('a\nb\n', 'theirs\n', { isUnsaved: true });
  expect([problem(same), same.tab().file!.isUnsaved]).toEqual([null, false]);
  disk.bytes = utf8('a\nb\n');
  const unsaved = await show('a\nb\n', 'a\nmine\n');
  expect([problem(unsaved), unsaved.tab().file!.isUnsaved]).toEqual([null, true]);
});

it('keeps the encoding and every line end that is not edited, and says when the encoding lacks a character', async () => {
  disk.bytes = Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8('a\r\nb\nc\r\n')]);
  const own = { encoding: 'utf-8-bom', lineEnds: 'mixed', content: await contentOf(disk.bytes) } as const;
  const shown = await show('', 'a\nb\nc\n', own);
  expect(shown.tab().file!.isUnsaved).toBe(false);
  shown.editor.replaceText('a\nb\nc\nd\n');
  expect(await shown.session.save()).toBe(true);
  expect(onDisk()).toBe('\ufeffa\r\nb\nc\r\nd\r\n');

  disk.bytes = Uint8Array.of(0xe9);
  const latin = await show('', 'é', { encoding: 'windows-1252', content: await contentOf(disk.bytes) });
  latin.editor.replaceText('é → e');
  const saving = latin.session.save();
  await expect.poll(() => useStore.getState().questions).toHaveLength(1);
  const [question] = useStore.getState().questions;
  if (question?.kind === 'confirm') question.answer(true);
  expect(await saving).toBe(true);
  expect([onDisk(), latin.tab().file!.encoding]).toEqual(['é → e', 'utf-8']);
});

it('what is typed while it is being saved is still unsaved', async () => {
  const shown = await show('a\nb\n', 'a\nb\n');
  shown.editor.replaceText('one');
  disk.writing = () => shown.editor.replaceText('one two');
  expect(await shown.session.save()).toBe(true);
  disk.writing = () => undefined;
  expect([onDisk(), shown.tab().file!.isUnsaved]).toEqual(['one', true]);
});

it('a file that changes all the time is read once for all changes that wait', async () => {
  const shown = await show('a\nb\n', 'a\nb\n');
  disk.reads = 0;
  for (let change = 0; change < 10; change++) disk.touched();
  disk.bytes = utf8('last');
  await settled(shown.session);
  expect([disk.reads, shown.editor.state.doc.toString()]).toEqual([1, 'last']);
});
