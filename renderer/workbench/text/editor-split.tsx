// A tab with SQL text: the editor above, the results below.
import { useEffect, type ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { toAppError } from '#shared/protocol/index.ts';
import { setWrapping } from '../../editor/editor-state.ts';
import { selectReferences } from '../../editor/name-insight.ts';
import { SqlEditor } from '../../editor/sql-editor.tsx';
import { statementsOf } from '../../editor/statements.ts';
import { TEXT_COMMANDS } from '../../editor/text-commands.ts';
import './editor-split.css';
import { useColumns } from '../../state/schema.ts';
import type { TextTab } from '../../state/slices/tabs.ts';
import { useSetting } from '../../state/settings.ts';
import { plural } from '../../ui/format.ts';
import { setSetting } from '../set-setting.ts';
import { notify, toggleTabMovesFocus, updateTab, useStore } from '../../state/store.ts';
import { announce } from '../../ui/announcer.tsx';
import { registerCommand, useCommand } from '../commands/commands.ts';
import { becomeInsertTarget } from './insert-target.ts';
import type { TabEditor } from './tab-editor.ts';

const EDITOR = 'editor';

interface EditorSplitProps {
  readonly tab: TextTab;
  readonly editor: TabEditor;
  /** Whether the editor takes the focus when the tab appears. */
  readonly autoFocus?: boolean;
  /** What comes and goes with the text: it takes its room from the editor, so that the results stay where they are. */
  readonly underText?: ReactNode;
  readonly children: ReactNode;
}

export function EditorSplit({ tab, editor, autoFocus = true, underText, children }: EditorSplitProps): ReactNode {
  const columns = useColumns(tab.database);
  useEffect(() => editor.schemaChanged(), [editor, columns]);
  const tabMovesFocus = useStore((state) => state.tabMovesFocus);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useEffect(() => (isActive ? becomeInsertTarget(editor) : undefined), [editor, isActive]);
  useEffect(() => editor.view?.setTabFocusMode(tabMovesFocus), [editor, tabMovesFocus]);
  useCommand(
    'editor.tabMovesFocus',
    () => {
      toggleTabMovesFocus();
      announce(tabMovesFocus ? 'Tab indents' : 'Tab moves focus');
    },
    isActive,
    tabMovesFocus,
  );
  const wrapsLines = useSetting('editor.wrap');
  useEffect(() => {
    if (editor.view) setWrapping(editor.view, wrapsLines);
  }, [editor, wrapsLines]);
  useCommand('editor.wrap', () => setSetting('editor.wrap', !wrapsLines), isActive, wrapsLines);
  useCommand(
    'editor.definition',
    () => {
      if (!editor.goToDefinition()) announce('No definition at the cursor');
    },
    isActive,
  );
  useCommand(
    'editor.rename',
    () => {
      if (!editor.view || !selectReferences(editor.view))
        notify({ tone: 'info', text: 'Put the cursor on an alias or on the name of a WITH query to rename it.' });
    },
    isActive,
  );
  useTextCommands(editor, isActive);
  useCommand('editor.format', () => void formatText(editor), isActive);
  return (
    <div className="editor-split" data-scope="editor">
      <Group
        orientation="vertical"
        onLayoutChanged={(layout, { isUserInteraction }) => {
          if (isUserInteraction) updateTab<TextTab>(tab.id, { split: layout[EDITOR]! / 100 });
        }}
      >
        <Panel id={EDITOR} defaultSize={`${tab.split * 100}%`} minSize="48px" className="editor-split-text">
          <SqlEditor key={tab.id} takeState={editor.takeState} onView={editor.onView} autoFocus={autoFocus} />
          {underText}
        </Panel>
        <Separator className="editor-split-separator" aria-label="Height of the editor" />
        <Panel id="below" minSize="90px" className="editor-split-below" data-pane>
          {children}
        </Panel>
      </Group>
    </div>
  );
}

function useTextCommands(editor: TabEditor, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const ends = Object.entries(TEXT_COMMANDS).map(([id, run]) =>
      registerCommand(id as keyof typeof TEXT_COMMANDS, () => {
        if (!editor.view) return;
        editor.focus();
        run(editor.view);
      }),
    );
    return () => ends.forEach((end) => end());
  }, [editor, isActive]);
}

/** Formatting blocks the window: about 100 ms for this length. */
const LONGEST_CHARS = 200_000;

async function formatText(editor: TabEditor): Promise<void> {
  const { view } = editor;
  if (!view) return;
  const { state } = view;
  const sql = state.doc.toString();
  const { from, to, empty } = state.selection.main;
  if ((empty ? sql.length : to - from) > LONGEST_CHARS)
    return notify({
      tone: 'info',
      text: 'This text is too long to format at once. Select up to 200,000 characters.',
    });
  try {
    const statements = statementsOf(state);
    const chosen = empty ? statements : statements.filter((place) => place.from < to && place.to > from);
    const { formatStatements } = await import('../../editor/format-sql.ts');
    const { changes, kept } = formatStatements(sql, chosen);
    // The text was edited in the meantime, so the result no longer applies.
    if (view.state.doc !== state.doc) return;
    if (changes.length > 0) view.dispatch({ changes, userEvent: 'input.format', scrollIntoView: true });
    if (kept > 0)
      notify({
        tone: 'info',
        text: `${plural(kept, 'statement')} ${kept === 1 ? 'was' : 'were'} not formatted, because formatting might have changed ${kept === 1 ? 'its' : 'their'} meaning.`,
      });
    else announce(changes.length > 0 ? 'Formatted' : 'Nothing to format');
  } catch (thrown) {
    notify({ tone: 'error', text: toAppError(thrown).message });
  }
}
