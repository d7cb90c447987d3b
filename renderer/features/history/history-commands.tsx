// The commands of the history, and the questions that they ask over the window.
import type { ReactNode } from 'react';
import { useCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openSettings } from '../../workbench/tabs/settings.ts';
import { undoOrRedo } from '../../workbench/history/history.ts';
import { openHistory } from '../../workbench/tabs/history.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { choosePatch, clearHistory } from './history-actions.ts';

/** Always mounted; shows something only while there is a question. */
export function History(): ReactNode {
  const database = useStore((state) => state.currentDatabase);
  const hasHistory = useStore(
    (state) => state.currentDatabase !== null && state.histories[state.currentDatabase] !== undefined,
  );
  const question = useStore((state) => state.conflictQuestion);
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const has = isConnected && database !== null;

  useCommand('history.undo', () => database && undoOrRedo('undo', database), has);
  useCommand('history.redo', () => database && undoOrRedo('redo', database), has);
  useCommand(
    'history.show',
    () => {
      if (!database) return;
      showLibrary(false);
      openHistory(database);
      focusContent();
    },
    has,
  );
  useCommand('history.clear', () => void (database && clearHistory(database)), has && hasHistory);
  useCommand('history.limits', () => openSettings({ at: 'history.totalMegabytes' }));
  useCommand('patch.apply', () => void (database && choosePatch(database)), has);
  return question && <ConflictDialog key={question.title} question={question} />;
}
