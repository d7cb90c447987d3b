// The editor of a tab with a text, shown or not: its state survives while the tab is hidden, and its text is stored in the tab.
import { isolateHistory } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { TextRange } from '#shared/split-statements.ts';
import { createEditorState } from '../../editor/editor-state.ts';
import { smallestChange } from '../../editor/smallest-change.ts';
import { askAgain } from '../../editor/insight.ts';
import { goToDefinition } from '../../editor/name-insight.ts';
import type { EditorHost } from '../../editor/editor-host.ts';
import { goToOffset, type KeptEditor } from '../../editor/sql-editor.tsx';
import { statementAt, statementsOf } from '../../editor/statements.ts';
import type { TextTab } from '../../state/slices/tabs.ts';
import { TabText } from '../../state/tab-text.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { columnsBeingRead, knownAdded, knownColumns } from '../../state/schema.ts';
import { useStore } from '../../state/store.ts';
import { openTable } from '../tabs/table.ts';
import { attachedTo } from '../databases/attached-files.ts';
import type { SchemaColumns } from '../../editor/scope/names.ts';

export class TabEditor {
  readonly #text: TabText;
  readonly #host: EditorHost;
  readonly #onText: (state: EditorState) => void;
  #view: EditorView | null = null;
  #kept: KeptEditor;

  /** @param own further listeners to text changes; `checks: false`: SQLite does not check the text while it is typed */
  constructor(
    { id, database, sql }: TextTab,
    own: { readonly onText?: (state: EditorState) => void; readonly checks?: boolean } = {},
  ) {
    this.#text = new TabText(id);
    this.#onText = (state) => {
      this.#text.changed(state.doc);
      own.onText?.(state);
    };
    const host = editorHost(database, this.#onText);
    this.#host = host;
    if (own.checks === false) host.check = async () => [];
    this.#kept = { state: createEditorState(sql, host), scrollTop: 0 };
  }

  /** Null while the tab is not shown. */
  get view(): EditorView | null {
    return this.#view;
  }

  get state(): EditorState {
    return this.#view?.state ?? this.#kept.state;
  }

  /** The selection, or the statement at the cursor. */
  get placeHere(): TextRange {
    const { doc, selection } = this.state;
    if (!selection.main.empty) return selection.main;
    return statementAt(doc, statementsOf(this.state), selection.main.head) ?? { from: 0, to: 0 };
  }

  goTo(offset: number): void {
    if (this.#view) goToOffset(this.#view, offset);
  }

  readonly takeState = (): KeptEditor => this.#kept;

  readonly onView = (view: EditorView | null, kept?: KeptEditor): void => {
    this.#view = view;
    if (kept) this.#kept = kept;
    if (!view) this.saveText();
  };

  /** Replaces a part of the text, as typing does. */
  change(changes: { readonly from: number; readonly to: number; readonly insert: string }): void {
    const edit = { changes, userEvent: 'input' };
    if (this.#view) return this.#view.dispatch(edit);
    this.#kept = { ...this.#kept, state: this.#kept.state.update(edit).state };
    this.#host.onText(this.#kept.state);
  }

  /** Has the text checked again: names may have another meaning now. */
  schemaChanged(): void {
    this.#view?.dispatch({ effects: askAgain.of(null) });
  }

  /** Goes to the definition of the name at the cursor. @returns false if no definition is known */
  goToDefinition(): boolean {
    const view = this.#view;
    return view !== null && goToDefinition(view, view.state.selection.main.head, this.#host);
  }

  /** Replaces the whole text by `text`, as one edit that can be undone. */
  replaceText(text: string): void {
    const changes = smallestChange(this.state.doc, text);
    if (!changes) return;
    // Otherwise Undo would also remove what was typed just before.
    const edit = { changes, annotations: isolateHistory.of('full') };
    if (this.#view) return this.#view.dispatch(edit);
    const { state } = this.#kept.state.update(edit);
    this.#kept = { ...this.#kept, state };
    this.#onText(state);
  }

  focus(): void {
    this.#view?.focus();
  }

  /** Stores the text in the tab at once, without waiting for a pause in typing. */
  saveText(): void {
    this.#text.flush();
  }

  dispose(): void {
    this.#text.dispose();
  }
}

function editorHost(database: DatabaseId, onText: EditorHost['onText']): EditorHost {
  return {
    onText,
    columns: () => [...(knownColumns(database) ?? []), ...attachedColumns(database)],
    added: () => knownAdded(database),
    columnsBeingRead: () => columnsBeingRead(database),
    openTable: (table) => void openTable(database, table),
    whenFree,
    check: async (sql) => (sql.trim() === '' ? [] : client.call('query.check', { database, sql }).catch(() => null)),
  };
}

/** Foreign keys name tables of their own file only, which are not those that SQL would find under that name. */
function attachedColumns(database: DatabaseId): SchemaColumns {
  return attachedTo(database).flatMap(({ name, file }) =>
    (knownColumns(file) ?? []).map((table) => ({ ...table, schema: name, references: [] })),
  );
}

/** Hints must not queue up behind work the user is waiting for. */
function whenFree(): Promise<void> {
  const isFree = (): boolean => useStore.getState().works.length === 0;
  if (isFree()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useStore.subscribe(() => {
      if (!isFree()) return;
      stop();
      resolve();
    });
  });
}
