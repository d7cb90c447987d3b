// Rows that were not imported: with their lines and reasons in a grid, where they can be corrected, imported again, or saved.
import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';
import type { GridEditing } from '../../grid/editing/cell-editing.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { PLAIN_VIEW } from '../../grid/layout/geometry.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import type { ImportSession } from './import-session.ts';
import type { Outcome } from './import-view.ts';
import { MemorySource } from '../../workbench/rows/memory-source.ts';
import { FIXED_COLUMNS } from './problem-list.ts';
import type { ProblemList } from './problem-list.ts';
import { saveProblems, useProblems } from './use-problems.ts';

interface ProblemsPartProps {
  readonly tabId: string;
  readonly session: ImportSession;
  readonly outcome: Outcome;
}

export function ProblemsPart({ tabId, session, outcome }: ProblemsPartProps): ReactNode {
  const { list, error } = useProblems(outcome);
  const [isBusy, setIsBusy] = useState(false);
  const importAgain = async (): Promise<void> => {
    if (!list) return;
    if (list.records.every((record) => record === null))
      return notify({ tone: 'info', text: 'These rows could not be split into cells. Enter their cells first.' });
    setIsBusy(true);
    try {
      await session.runner.again(list);
    } catch (thrown) {
      notify({ tone: 'error', text: toAppError(thrown).message });
    } finally {
      setIsBusy(false);
    }
  };
  if (error)
    return (
      <p className="import-empty" role="alert">
        {error}
      </p>
    );
  if (!list) return null;
  const hidden = outcome.problems - list.records.length;
  return (
    <section className="import-problems" aria-label="Rows that were not imported">
      <div className="import-notes">
        <b>{`${plural(outcome.problems, 'row')} not imported`}</b>
        <span>
          {hidden > 0 ? `The first ${formatCount(list.records.length)} are kept. ` : ''}
          Edit their cells here, and import them again.
        </span>
        <span className="import-gap" />
        <Button size="small" onClick={() => void saveProblems(outcome, list)}>
          Save as CSV…
        </Button>
        <Button size="small" variant="primary" disabled={isBusy} onClick={() => void importAgain()}>
          Import these rows again
        </Button>
      </div>
      <ProblemGrid key={outcome.id} tabId={tabId} list={list} />
    </section>
  );
}

function ProblemGrid({ tabId, list }: { readonly tabId: string; readonly list: ProblemList }): ReactNode {
  const grid = useRef<GridHandle>(null);
  const [view, setView] = useState<GridView>(PLAIN_VIEW);
  const source = useMemo(
    () =>
      new MemorySource(
        list.columns.map((name) => ({ name, typeLabel: '' })),
        list.records.length,
        list.valueAt,
      ),
    [list],
  );
  const editing = useMemo(() => editingOf(list, source), [list, source]);
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  useCopyCommands(() => grid.current, isActive);
  useCommand('grid.editCell', () => grid.current?.editCell(), isActive);
  return (
    <div className="import-grid">
      <Grid
        ref={grid}
        source={source}
        view={view}
        sort={[]}
        label="Rows that were not imported"
        editing={editing}
        onViewChange={setView}
        onError={notifyFailure}
        onRefused={(text) => notify({ tone: 'info', text })}
      />
    </div>
  );
}

function editingOf(list: ProblemList, source: MemorySource): GridEditing {
  return {
    begin({ row, column }) {
      if (column < FIXED_COLUMNS) return 'Only the cells of the file can be edited here.';
      return {
        text: list.field(row, column),
        isNull: false,
        async commit(text) {
          list.edit(row, column, text);
          source.changed();
          return { kind: 'done' };
        },
      };
    },
    copyText: (text) => void shell.writeClipboard(text),
  };
}
