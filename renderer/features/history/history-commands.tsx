// The commands of the history, and the questions it asks over the window.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useCommand } from '../../workbench/commands.ts';
import { focusContent } from '../../workbench/focus-content.ts';
import { openHistory, stepBackOrForth } from '../../workbench/history.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { choosePatch, clearHistory } from './history-actions.ts';
import { LimitsDialog } from './limits-dialog.tsx';

/** Mounted always; shows something only while there is a question. */
export function History(): ReactNode {
  const database = useStore((state) => state.currentDatabase);
  const limits = useStore((state) =>
    state.currentDatabase ? state.histories[state.currentDatabase]?.limits : undefined,
  );
  const question = useStore((state) => state.conflictQuestion);
  const [asksLimits, setAsksLimits] = useState(false);
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const has = isConnected && database !== null;

  useCommand('history.undo', () => void (database && stepBackOrForth('undo', database)), has);
  useCommand('history.redo', () => void (database && stepBackOrForth('redo', database)), has);
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
  useCommand('history.clear', () => void (database && clearHistory(database)), has && limits !== undefined);
  useCommand('history.limits', () => setAsksLimits(true), has && limits !== undefined);
  useCommand('patch.apply', () => void (database && choosePatch(database)), has);
  return (
    <>
      {asksLimits && database && limits && (
        <LimitsDialog database={database} limits={limits} onClose={() => setAsksLimits(false)} />
      )}
      {question && <ConflictDialog key={question.title} question={question} />}
    </>
  );
}
