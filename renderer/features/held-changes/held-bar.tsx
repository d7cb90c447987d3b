// The strip under the tabs while changes are held: their number, their SQL, saving and discarding them.
import { useEffect, useState, useRef, type ReactNode } from 'react';
import { visibleText } from '#shared/visible-text.ts';
import type { DatabaseId, ChangeState } from '#shared/protocol/index.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { useRoomForMessages } from '../../ui/use-room-for-messages.ts';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { keyNamesInSql, useHeld, type Held } from '../../workbench/held/held-store.ts';
import {
  discardHeld,
  patchSaving,
  saveHeld,
  savingOf,
  unfitOf,
  useSavingHeld,
  decideConflict,
  discardOne,
  toggleHolding,
} from '../../workbench/held/save-held.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import type { HeldTables, PendingChange } from '../../workbench/held/held-changes.ts';
import { changeSql, literal } from '../../workbench/held/held-sql.ts';
import { X } from 'lucide-react';
import { useRowWindow } from '../../ui/use-row-window.ts';
import './held-changes.css';

export function HeldBar({ database }: { readonly database: DatabaseId | null }): ReactNode {
  const held = useHeld((state) => (database === null ? null : (state[database] ?? null)));
  if (database === null || !held || held.pending.length === 0) return null;
  return <Strip database={database} held={held} />;
}

function Strip({ database, held }: { readonly database: DatabaseId; readonly held: Held }): ReactNode {
  const { isSaving, isOpen, failure } = useSavingHeld((state) => state[database] ?? savingOf(database));
  const sqlOf = useHeldSql(database, held.tables);
  const strip = useRoomForMessages('--held-height');
  const savepoints = useStore((state) => state.openDatabases[database]?.transaction?.savepoints ?? null);
  return (
    <section ref={strip} className="stack fixed sunken small text-color held" aria-label="Held changes" data-pane>
      {isOpen && <HeldList database={database} held={held} sqlOf={sqlOf} failed={failure?.name ?? null} />}
      {failure && (
        <p className="error-note break-words flush held-failure" role="alert">
          {visibleText(failure.message)}
        </p>
      )}
      <div className="row gap-8 held-bar">
        <p role="status">{wordsOf(held, savepoints)}</p>
        {isOpen && (
          <Button size="small" onClick={() => copySql(held.pending, sqlOf)}>
            Copy SQL
          </Button>
        )}
        <Button
          size="small"
          aria-expanded={isOpen}
          onClick={() => patchSaving(database, { isOpen: !isOpen, ...(isOpen && { failure: null }) })}
        >
          {isOpen ? 'Hide SQL' : 'Show SQL'}
        </Button>
        <Button size="small" disabled={isSaving} onClick={() => void discardHeld(database).catch(notifyFailure)}>
          Discard
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={isSaving}
          title="Saves all changes in one transaction"
          onClick={() => void saveHeld(database).catch(notifyFailure)}
        >
          Save <kbd>{commandKeyLabel('held.save')}</kbd>
        </Button>
      </div>
    </section>
  );
}

function wordsOf(held: Held, savepoints: readonly string[] | null): string {
  const { pending, interruptedAt } = held;
  const tables = new Set(pending.map(({ change }) => change.table)).size;
  const unfit = unfitOf(held).length;
  const sentences = [
    `${plural(pending.length, 'change')} to ${plural(tables, 'table')}, not saved yet.`,
    unfit > 0 && `${unfit === 1 ? 'One conflicts' : `${unfit} conflict`} with what is stored now.`,
    interruptedAt !== null && 'Sidelite stopped while saving them: check whether new rows are already in the database.',
    savepoints && `${openTransaction(savepoints)}: the changes become part of it.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function openTransaction(savepoints: readonly string[]): string {
  const names = savepoints.map((name) => `“${visibleText(name)}”`).join(', ');
  return `A transaction is open${names && ` with ${savepoints.length === 1 ? 'the savepoint' : 'the savepoints'} ${names}`}`;
}

/** The SQL of held changes, which requires the names of the key columns of their tables. */
function useHeldSql(database: DatabaseId, tables: HeldTables): (pending: PendingChange) => string {
  const keyNames = useKeyNames(database, [...tables.keys()]);
  return ({ change }) => changeSql(change, keyNames[change.table] ?? ['rowid']);
}

/** Copies all of them, as a script that can be run elsewhere. */
function copySql(pending: readonly PendingChange[], sqlOf: (pending: PendingChange) => string): void {
  const text = pending.map((each) => `${sqlOf(each)};\n`).join('');
  void shell.writeClipboard(pending.length > 1 ? `BEGIN;\n${text}COMMIT;\n` : text);
  notify({ tone: 'success', text: `Copied the SQL of ${plural(pending.length, 'change')}.` });
}

/** Key columns by table; tables whose keys are not known yet are missing. */
function useKeyNames(database: DatabaseId, tables: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const [names, setNames] = useState<Readonly<Record<string, readonly string[]>>>({});
  const wanted = tables.join('\0');
  useEffect(() => {
    let isWanted = true;
    for (const table of wanted === '' ? [] : wanted.split('\0'))
      client.call('schema.table', { database, table }).then(
        (detail) => isWanted && setNames((before) => ({ ...before, [table]: keyNamesInSql(detail) })),
        () => undefined, // a table that is gone: its changes say so
      );
    return () => {
      isWanted = false;
    };
  }, [database, wanted]);
  return names;
}

const LINE_PX = 28;
/** Two lines: beneath the SQL, what is stored now and what to do about it. */
const TALL_LINE_PX = 56;
/** The rest of a statement is on the clipboard, with all of them. */
const SHOWN_CHARS = 400;

interface HeldListProps {
  readonly database: DatabaseId;
  readonly held: Held;
  sqlOf(pending: PendingChange): string;
  readonly failed: string | null;
}

function HeldList({ database, held, sqlOf, failed }: HeldListProps): ReactNode {
  const { pending, states } = held;
  const list = useRef<HTMLDivElement>(null);
  const isTall = pending.some(({ name }) => stateWords(states.get(name)) !== null);
  const linePx = isTall ? TALL_LINE_PX : LINE_PX;
  const { from, to } = useRowWindow(list, pending.length, linePx);
  const failedAt = pending.findIndex(({ name }) => name === failed);
  useEffect(() => {
    if (failedAt >= 0) list.current?.scrollTo({ top: failedAt * linePx });
  }, [failedAt, linePx]);
  return (
    <div ref={list} className="scroll ruled held-list" tabIndex={0} role="region" aria-label="SQL">
      <div style={{ height: pending.length * linePx }}>
        <ol data-tall={isTall || undefined} style={{ transform: `translateY(${from * linePx}px)` }} start={from + 1}>
          {pending.slice(from, to).map((each) => (
            <Line
              key={each.name}
              database={database}
              pending={each}
              sql={sqlOf(each)}
              state={states.get(each.name)}
              isFailed={each.name === failed}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

interface LineProps {
  readonly database: DatabaseId;
  readonly pending: PendingChange;
  readonly sql: string;
  readonly state: ChangeState | undefined;
  readonly isFailed: boolean;
}

function Line({ database, pending, sql, state, isFailed }: LineProps): ReactNode {
  const words = stateWords(state);
  return (
    <li data-state={isFailed ? 'failed' : state?.kind}>
      <code title={sql.length > SHOWN_CHARS ? undefined : visibleText(sql)}>
        {visibleText(sql.slice(0, SHOWN_CHARS))}
        {sql.length > SHOWN_CHARS && '…'}
      </code>
      {words !== null && (
        <div className="row gap-8 shrink-x held-words">
          <span title={visibleText(words)}>{visibleText(words)}</span>
          {state?.kind === 'conflict' && (
            <>
              <Button size="small" onClick={() => void decideConflict(database, pending, 'mine')}>
                Keep mine
              </Button>
              <Button size="small" onClick={() => void decideConflict(database, pending, 'stored')}>
                Take stored
              </Button>
            </>
          )}
        </div>
      )}
      <IconButton label="Discard this change" onClick={() => void discardOne(database, pending)}>
        <X size={13} aria-hidden />
      </IconButton>
    </li>
  );
}

function stateWords(state: ChangeState | undefined): string | null {
  switch (state?.kind) {
    case 'conflict': {
      const stored = Object.entries(state.current).map(([column, value]) => `${column} ${literal(value).slice(0, 80)}`);
      return `Stored now: ${stored.join(', ')}`;
    }
    case 'gone':
      return state.why;
    case 'done':
      return 'Already stored';
    default:
      return null;
  }
}

export function useHeldCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore(({ currentDatabase, openDatabases }) =>
    currentDatabase !== null && openDatabases[currentDatabase] ? currentDatabase : null,
  );
  const hasChanges = useHeld((state) => database !== null && (state[database]?.pending.length ?? 0) > 0);
  const isReady = isConnected && database !== null;
  const run = (action: (database: string) => Promise<void>) => () => {
    if (database !== null) action(database).catch(notifyFailure);
  };
  const isHolding = useHeld((state) => database !== null && state[database]?.isOn === true);
  useCommand('held.turn', run(toggleHolding), isReady, isHolding);
  useCommand('held.save', run(saveHeld), isReady && hasChanges);
  useCommand('held.discard', run(discardHeld), isReady && hasChanges);
  useCommand(
    'held.show',
    () => database !== null && patchSaving(database, { isOpen: !savingOf(database).isOpen }),
    isReady && hasChanges,
  );
}
