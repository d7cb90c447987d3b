// A tab with SQL text: the editor above, the results below.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { setWrapping } from '../../editor/editor-state.ts';
import { selectReferences } from '../../editor/name-insight.ts';
import { SqlEditor } from '../../editor/sql-editor.tsx';
import { TEXT_COMMANDS } from '../../editor/text-commands.ts';
import './editor-split.css';
import { useColumns } from '../../state/schema.ts';
import type { TextTab } from '../../state/slices/tabs.ts';
import { useSetting } from '../../state/settings.ts';
import { setSetting } from '../set-setting.ts';
import { notify, toggleTabMovesFocus, updateTab, useStore } from '../../state/store.ts';
import { announce } from '../../ui/announcer.tsx';
import { registerCommand, useCommand } from '../commands/commands.ts';
import { becomeInsertTarget } from './insert-target.ts';
import { formatText } from './format-text.ts';
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
