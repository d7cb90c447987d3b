// The conflicts that `sidelite merge` has left in a database: each with its three rows, to be decided one by one.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { CONFLICTS, toAppError, type DatabaseId } from '#shared/protocol/index.ts';
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import { knownSchema } from '../../state/schema.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar, DecisionList, useShownDecisions } from '../../ui/decisions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { isConflictTable, openConflicts, useOpenConflicts } from '../../workbench/differences/open-conflicts.ts';
import { ThreeRows } from '../../workbench/differences/three-rows.tsx';
import { askObjectAction } from '../../workbench/objects/object-actions.ts';
import { openFormOf } from '../../workbench/relations/form-of-row.ts';
import { whyNotTheirs, decide, listConflicts, wholeConflict } from './conflict-entry.ts';
import type { ConflictEntry, ConflictList, ListedConflict } from './conflict-entry.ts';

type Choice = 'mine' | 'theirs';

export function Conflicts(): ReactNode {
  const database = useOpenConflicts((state) => state.database);
  return database !== null && <ConflictsDialog key={database} database={database} />;
}

const close = (): void => openConflicts(null);

function ConflictsDialog({ database }: { readonly database: DatabaseId }): ReactNode {
  const { list, failure, isBusy, choose } = useConflicts(database);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const count = list?.listed.length ?? 0;
  const shown = useShownDecisions(box, count);
  const current = list?.listed[Math.min(at, count - 1)] ?? null;
  const { entry, isCurrent } = useEntry(database, current);
  const chooseNow = (choice: Choice): void => {
    if (!isBusy && isCurrent && entry && 'columns' in entry) void choose(entry, choice);
  };
  const isOver = list?.total === 0;
  const isRead = list !== null;
  // What was focused before is gone, or there was nothing yet. Later than with the layout, the dialog would take the focus.
  useLayoutEffect(() => {
    if (isRead) (isOver ? first : box).current?.focus();
  }, [isRead, isOver]);
  return (
    <Dialog
      title="Conflicts of the last merge"
      wide
      initialFocus={first}
      onClose={close}
      footer={<Buttons database={database} isOver={isOver} first={first} />}
    >
      <div className="decisions">
        <p role="status">{list === null ? 'Reading the conflicts…' : wordsOf(list)}</p>
        {list !== null && !isOver && (
          <>
            <DecisionBar>
              <span>Each decision is one step in the history.</span>
            </DecisionBar>
            <DecisionList
              list={box}
              label="Conflicts"
              count={count}
              at={Math.min(at, count - 1)}
              shown={shown}
              lineOf={(index) => lineOf(list.listed[index])}
              onAt={setAt}
              onChoose={chooseNow}
              onApply={() => undefined}
              isWorkedOff
            />
            <Decision database={database} entry={entry} onChoose={chooseNow} />
          </>
        )}
        {failure !== null && (
          <p className="small error" role="alert">
            {visibleLine(failure)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface ButtonsProps {
  readonly database: DatabaseId;
  readonly isOver: boolean;
  readonly first: RefObject<HTMLButtonElement | null>;
}

function Buttons({ database, isOver, first }: ButtonsProps): ReactNode {
  return (
    <>
      <Button {...(!isOver && { ref: first })} onClick={close}>
        Close
      </Button>
      {isOver && (
        <Button ref={first} variant="primary" onClick={() => void dropTable(database)}>
          Drop the table…
        </Button>
      )}
    </>
  );
}

function wordsOf({ total, listed }: ConflictList): string {
  if (total === 0) return `No conflicts are left. The table ${CONFLICTS} is no longer needed.`;
  const rest = total > listed.length ? ` The list shows the first ${formatCount(listed.length)}.` : '';
  return `${plural(total, 'conflict')} to decide.${rest}`;
}

const lineOf = (conflict: ListedConflict | undefined) =>
  conflict && {
    row: `${visibleName(conflict.table)} ${visibleLine(conflict.key)}`,
    what: visibleLine(conflict.message === '' ? conflict.kind : conflict.message),
    choice: null,
  };

interface DecisionProps {
  readonly database: DatabaseId;
  readonly entry: Entry;
  readonly onChoose: (choice: Choice) => void;
}

function Decision({ database, entry, onChoose }: DecisionProps): ReactNode {
  if (entry === null) return null;
  if (!('columns' in entry)) return <p className="small error">{visibleLine(entry.why)}</p>;
  const { columns, base, ours, theirs, key, table } = entry;
  const [before, mine, other] = [
    { name: 'Before', row: base?.values ?? null },
    { name: 'Mine', row: ours?.values ?? null },
    { name: 'Theirs', row: theirs?.values ?? null },
  ];
  return (
    <>
      <div className="row wrap gap-8">
        <Button
          size="small"
          title="The row stays as it is, also where only theirs has changed it"
          onClick={() => onChoose('mine')}
        >
          Keep mine
        </Button>
        <Button
          size="small"
          title="The row gets all that theirs has changed; what only mine has changed stays"
          why={whyNotTheirs(entry)}
          onClick={() => onChoose('theirs')}
        >
          Take theirs
        </Button>
        <Button
          size="small"
          title="Opens the row as a form. The conflict stays in the list until you keep or take a row."
          why={key === null || ours === null ? 'There is no row here that a key identifies.' : null}
          onClick={() => key && editRow(database, table, key)}
        >
          Edit row
        </Button>
      </div>
      <ThreeRows columns={columns} versions={[before, mine, other]} from={before} />
    </>
  );
}

function editRow(database: DatabaseId, table: string, key: NonNullable<ConflictEntry['key']>): void {
  close();
  showLibrary(false);
  const terms = key.columns.map((column, at) => ({ column, operator: '=' as const, value: key.values[at]! }));
  void openFormOf(database, table, terms).then(focusContent);
}

/** The dialog of the action shows the statement, and its step can be undone. */
async function dropTable(database: DatabaseId): Promise<void> {
  const schema = await knownSchema(database);
  const object = schema?.objects.find(({ kind, name }) => kind === 'table' && isConflictTable(name));
  close();
  if (object) askObjectAction(database, object, 'drop');
}

/** The list, which is read again after each decision. */
function useConflicts(database: DatabaseId) {
  const [list, setList] = useState<ConflictList | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const read = useCallback(async (): Promise<void> => {
    try {
      setList(await listConflicts(database));
    } catch (thrown) {
      setFailure(toAppError(thrown).message);
    }
  }, [database]);
  useEffect(() => void read(), [read]);
  const choose = async (entry: ConflictEntry, choice: Choice): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await decide(database, entry, choice);
      // The user has chosen to edit a copy of the file: its conflicts are those of another database.
      if (useStore.getState().openDatabases[database]?.asksBeforeWriting) return close();
      await read();
    } catch (thrown) {
      setFailure(messageOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  return { list, failure, isBusy, choose };
}

function messageOf(thrown: unknown): string {
  const { code, message } = toAppError(thrown);
  return code === 'conflict'
    ? 'The row has been changed since the merge, so theirs cannot be taken. Edit the row, and then keep mine.'
    : message;
}

/** Null until the first is read. */
type Entry = ConflictEntry | { readonly why: string } | null;

/** While the next one is read, the one before stays, so that nothing moves. */
function useEntry(
  database: DatabaseId,
  listed: ListedConflict | null,
): { readonly entry: Entry; readonly isCurrent: boolean } {
  const [shown, setShown] = useState<{ readonly of: ListedConflict; readonly entry: Entry } | null>(null);
  useEffect(() => {
    let isWanted = listed !== null;
    if (listed)
      void wholeConflict(database, listed)
        .catch((thrown: unknown) => ({ why: toAppError(thrown).message }))
        .then((entry) => isWanted && setShown({ of: listed, entry }));
    return () => void (isWanted = false);
  }, [database, listed]);
  return { entry: shown?.entry ?? null, isCurrent: shown !== null && shown.of === listed };
}
