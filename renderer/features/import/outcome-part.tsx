// Result of an import: the counts, next steps, and the rows that were not imported.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { undoStep } from '../../workbench/history/history.ts';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { showTable, summaryOf } from './import-summary.ts';
import type { ImportSession } from './import-session.ts';
import type { Outcome } from './import-view.ts';
import { toAppError, type ImportProblem } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';
import type { GridEditing } from '../../grid/editing/cell-editing.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { PLAIN_VIEW, type GridView } from '../../grid/layout/geometry.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import { MemorySource } from '../../workbench/rows/memory-source.ts';
import { FIXED_COLUMNS, ProblemList } from './problem-list.ts';
import { client } from '../../connection/database-client.ts';
import { chooseExportTarget } from '../../workbench/files/export-format.ts';

const PAGE = 1000;
const CSV = { extension: 'csv', label: 'CSV' } as const;

/** Read again for each import; null while they are read. */
function useProblems({ database, id, lines, format }: Outcome): {
  readonly list: ProblemList | null;
  readonly error: string | null;
} {
  const [state, setState] = useState<{ readonly id: string; list: ProblemList | null; error: string | null } | null>(
    null,
  );
  useEffect(() => {
    let isWanted = true;
    readProblems({ database, id, lines, format }).then(
      (list) => isWanted && setState({ id, list, error: null }),
      (thrown: unknown) => isWanted && setState({ id, list: null, error: toAppError(thrown).message }),
    );
    return () => void (isWanted = false);
  }, [database, id, lines, format]);
  return state?.id === id ? state : { list: null, error: null };
}

async function readProblems({
  database,
  id,
  ...numbering
}: Pick<Outcome, 'database' | 'id' | 'lines' | 'format'>): Promise<ProblemList> {
  const all: ImportProblem[] = [];
  for (;;) {
    const { columns, problems } = await client.call('import.problems', {
      database,
      id,
      offset: all.length,
      limit: PAGE,
    });
    all.push(...problems);
    if (problems.length < PAGE) return new ProblemList(columns, all, numbering);
  }
}

async function saveProblems({ table }: Outcome, list: ProblemList): Promise<void> {
  const target = await chooseExportTarget(CSV, `${table} not imported`, 'not-imported');
  if (!target) return;
  try {
    await client.call('export.bytes', { sink: target.token, bytes: new TextEncoder().encode(list.csv()) });
    notify({ tone: 'success', text: `${plural(list.records.length, 'row')} saved to ${target.fileName}.` });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

interface OutcomePartProps {
  readonly tabId: string;
  readonly session: ImportSession;
  readonly outcome: Outcome;
}

export function OutcomePart({ tabId, session, outcome }: OutcomePartProps): ReactNode {
  const { database, problems, steps, isUndone } = outcome;
  const undo = async (): Promise<void> => {
    for (const step of steps) if (!(await undoStep(database, step))) return;
    session.runner.noteUndone();
  };
  const open = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button is gone. Focus that the user has moved elsewhere stays there.
    if (document.activeElement === document.body) open.current?.focus();
  }, []);
  const Icon = problems > 0 ? TriangleAlert : CircleCheck;
  return (
    <section className="stack fill" aria-label="Result of the import">
      <div className="import-summary">
        <p role="status" className={problems > 0 ? 'import-warning' : 'import-good'}>
          <Icon size={16} aria-hidden /> {isUndone ? 'The import was undone.' : summaryOf(outcome)}
        </p>
        <div className="import-buttons">
          <Button ref={open} variant="primary" onClick={() => void showTable(outcome)}>
            Open table
          </Button>
          {steps.length > 0 && !isUndone && <Button onClick={() => void undo()}>Undo import</Button>}
          <Button onClick={() => void session.backToChoices()}>Back to choices</Button>
        </div>
        {outcome.notes.map((note) => (
          <p key={note} className="import-note">
            {note}
          </p>
        ))}
        <p className="import-note">{hintOf(outcome)}</p>
      </div>
      {problems > 0 && !isUndone && <ProblemsPart tabId={tabId} session={session} outcome={outcome} />}
    </section>
  );
}

function hintOf({ steps, isUndone }: Outcome): string {
  const key = commandKeyLabel('history.undo') ?? 'Undo';
  if (isUndone) return 'Redo restores the rows.';
  return steps.length > 0
    ? `The import is one step in the history: ${key} undoes all of it. The choices are kept for the next file like this one.`
    : 'The choices are kept for the next file like this one.';
}

/** Rows that were not imported: with their lines and reasons in a grid, where they can be corrected, imported again, or saved. */
function ProblemsPart({ tabId, session, outcome }: OutcomePartProps): ReactNode {
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
    <section className="stack fill shrink-x" aria-label="Rows that were not imported">
      <div className="row ruled-bar wrap import-notes">
        <b>{`${plural(outcome.problems, 'row')} not imported`}</b>
        <span>
          {hidden > 0 ? `The first ${formatCount(list.records.length)} are kept. ` : ''}
          Edit their cells here, and import them again.
        </span>
        <span className="grow" />
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
    <div className="fill anchor">
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
