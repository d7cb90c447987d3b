// The content of an import tab whose file consists of tables: how it is read on the left, its contents on the right.
import { CircleCheck, Import, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { ImportFormatId } from '#shared/import-formats.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { RunBar } from '../../ui/run-bar.tsx';
import { Select, withOwn } from '../../ui/select.tsx';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import type { SqlDialect, TransferContents } from '#shared/protocol/index.ts';
import { Problem } from './problem.tsx';
import { RunningImport } from './running-import.tsx';
import { canMove, choiceProblems, chosenRows, whyNoTransfer } from '#shared/import/transfer-choices.ts';
import type { TableChoice } from '#shared/import/transfer-choices.ts';
import { whyNoTransactions } from '../../workbench/databases/no-transactions.ts';
import { visibleName } from '#shared/visible-text.ts';
import { ENCODINGS, FORMATS } from './file-options.tsx';
import { CheckLine, ChoiceLine, TextLine } from './form-parts.tsx';
import type { TransferSession } from './transfer-session.ts';
import type { TransferOutcome, TransferView } from './transfer-view.ts';
import { undoStep } from '../../workbench/history/history.ts';
import { showTable, transferSummary } from './import-summary.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import './transfer.css';

const KINDS: Readonly<Record<TableChoice['kind'], string>> = {
  table: 'Table',
  virtual: 'Virtual table',
  view: 'View',
};

/** The tables of a file: which of them are imported, and under which names. */
function TransferTables({ session, view }: Pick<TransferOutcomePartProps, 'session' | 'view'>): ReactNode {
  const { choices, taken } = view;
  const { tables } = choices;
  const problems = choiceProblems(choices, taken);
  if (tables.length === 0) return <p className="import-empty">There are no tables in this file.</p>;
  const readable = tables.filter(({ problem }) => problem === null);
  const chosen = readable.filter(({ isChosen }) => isChosen).length;
  return (
    <table className="full-width transfer-tables" aria-label="Tables in the file">
      <thead>
        <tr>
          <th className="transfer-check">
            <input
              type="checkbox"
              aria-label="All tables"
              ref={(box) => {
                if (box) box.indeterminate = chosen > 0 && chosen < readable.length;
              }}
              checked={chosen > 0 && chosen === readable.length}
              onChange={(event) => session.chooseAll(event.target.checked)}
            />
          </th>
          <th>In the file</th>
          <th className="transfer-number">Rows</th>
          <th>Import as</th>
          <th>Name in the database</th>
        </tr>
      </thead>
      <tbody>
        {tables.map((table, at) => (
          <TableRow
            key={table.name}
            table={table}
            problem={problems.get(at)}
            taken={taken}
            onChange={(change) => session.setTable(at, change)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface TableRowProps {
  readonly table: TableChoice;
  readonly problem: string | undefined;
  readonly taken: readonly string[];
  readonly onChange: (change: Partial<Pick<TableChoice, 'isChosen' | 'into' | 'how'>>) => void;
}

const HOW_OPTIONS = [
  ['new', 'New table'],
  ['append', 'Add rows'],
] as const;

function TableRow({ table, problem, taken, onChange }: TableRowProps): ReactNode {
  const { name, kind, rows, isChosen, how } = table;
  return (
    <tr data-off={!isChosen || undefined}>
      <td className="transfer-check">
        <input
          type="checkbox"
          aria-label={`Import ${name}`}
          checked={isChosen}
          disabled={!canMove(table)}
          onChange={(event) => onChange({ isChosen: event.target.checked })}
        />
      </td>
      <th scope="row">
        <span className="transfer-name">{name}</span>
        <span className="faint small transfer-kind">{detailsOf(table)}</span>
        {table.problem !== null && <span className="import-bad">{table.problem}</span>}
        {problem !== undefined && <span className="import-bad">{problem}</span>}
      </th>
      <td className="transfer-number">{rows === null ? '' : formatCount(rows)}</td>
      <td>
        {kind === 'view' ? (
          'View'
        ) : (
          <Select
            label={`Import ${name} as`}
            value={how}
            options={HOW_OPTIONS}
            disabled={!isChosen}
            onChoose={(chosen) => onChange({ how: chosen })}
          />
        )}
      </td>
      <td>
        <Into table={table} problem={problem} taken={taken} onChange={onChange} />
      </td>
    </tr>
  );
}

function Into({ table: { name, into, how, isChosen }, problem, taken, onChange }: TableRowProps): ReactNode {
  const isTaken = taken.some((other) => other.toLowerCase() === into.toLowerCase());
  return (
    <>
      {how === 'new' ? (
        <CommittedField
          className="small-field"
          label={`Name for ${name}`}
          value={into}
          invalid={problem}
          onCommit={(text) => onChange({ into: text.trim() })}
        />
      ) : (
        <Select
          label={`Add the rows of ${name} to`}
          value={into}
          options={(isTaken ? taken : [into, ...taken]).map((other) => [other, other] as const)}
          disabled={!isChosen}
          onChoose={(chosen) => onChange({ into: chosen })}
        />
      )}
      {isTaken && <span className="faint small transfer-kind">Exists</span>}
    </>
  );
}

function detailsOf({ kind, columns, indexes, triggers }: TableChoice): string {
  return [
    kind !== 'table' && KINDS[kind],
    plural(columns.length, 'column'),
    indexes > 0 && plural(indexes, 'index', 'indexes'),
    triggers > 0 && plural(triggers, 'trigger'),
  ]
    .filter(Boolean)
    .join(', ');
}

const NEW = '';

const DIALECTS: readonly (readonly [SqlDialect, string])[] = [
  ['sqlite', 'SQLite'],
  ['mysql', 'MySQL, MariaDB'],
  ['postgresql', 'PostgreSQL'],
  ['tsql', 'SQL Server'],
];

interface TransferOptionsProps {
  readonly session: TransferSession;
  readonly view: TransferView;
  readonly format: ImportFormatId;
  readonly onFormat: (format: ImportFormatId) => void;
}

/** How a file of tables is read, and where its tables go. */
function TransferOptions({ session, view, format, onFormat }: TransferOptionsProps): ReactNode {
  const sql = view.contents?.sql;
  return (
    <>
      <Target session={session} view={view} />
      <section className="import-group" aria-labelledby="import-file">
        <h2 id="import-file">File</h2>
        <ChoiceLine
          label="Format"
          value={format}
          options={withOwn(FORMATS, format)}
          onChoose={(value) => onFormat(value as ImportFormatId)}
        />
        {sql && (
          <>
            <ChoiceLine
              label="Dialect"
              note={sql.reason || undefined}
              value={sql.dialect}
              options={DIALECTS}
              onChoose={(dialect) => void session.setReading({ dialect: dialect as SqlDialect })}
            />
            <ChoiceLine
              label="Encoding"
              value={sql.encoding}
              options={withOwn(ENCODINGS, sql.encoding)}
              onChoose={(encoding) => void session.setReading({ encoding })}
            />
          </>
        )}
      </section>
    </>
  );
}

function Target({ session, view }: Pick<TransferOptionsProps, 'session' | 'view'>): ReactNode {
  const { choices, database, databaseName } = view;
  const openDatabases = useStore((state) => state.openDatabases);
  return (
    <section className="import-group" aria-labelledby="import-target">
      <h2 id="import-target">Into</h2>
      <ChoiceLine
        label="Database"
        value={database ?? NEW}
        options={[
          ...Object.values(openDatabases)
            .filter(({ entry }) => whyNoTransactions(entry.id) === null)
            .map(({ entry }) => [entry.id, visibleName(entry.name)] as const),
          [NEW, 'New database in the library'],
        ]}
        onChoose={(id) => void session.setDatabase(id === NEW ? null : id)}
      />
      {database === null && (
        <TextLine
          label="Database name"
          value={databaseName}
          onCommit={(name) => name.trim() !== '' && session.setDatabaseName(name.trim())}
        />
      )}
      <CheckLine
        label="Indexes of new tables"
        checked={choices.indexes}
        onChange={(indexes) => session.setChoices({ indexes })}
      />
      <CheckLine
        label="Triggers of new tables"
        checked={choices.triggers}
        onChange={(triggers) => session.setChoices({ triggers })}
      />
      {choices.tables.some(({ isChosen, how }) => isChosen && how === 'append') && (
        <CheckLine
          label="Keep rows that refer to nothing"
          checked={choices.looseKeys}
          onChange={(looseKeys) => session.setChoices({ looseKeys })}
        />
      )}
    </section>
  );
}

interface TransferPartProps {
  readonly tabId: string;
  readonly session: TransferSession;
  readonly format: ImportFormatId;
  readonly onFormat: (format: ImportFormatId) => void;
}

export function TransferPart({ tabId, session, format, onFormat }: TransferPartProps): ReactNode {
  const view = session.useView();
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  const isBusy = view.running !== null || view.reading !== null;
  useCommand('work.stop', () => session.stop(), isActive && isBusy);
  return (
    <div className="tab-page">
      <TransferBar session={session} view={view} />
      {view.outcome ? (
        <TransferOutcomePart session={session} view={view} outcome={view.outcome} />
      ) : (
        <div className="fill import-body">
          <div className="import-options" role="region" aria-label="Choices" tabIndex={-1} inert={isBusy}>
            <TransferOptions session={session} view={view} format={format} onFormat={onFormat} />
          </div>
          <div className="shrink-x shrink-y import-right" inert={isBusy}>
            <Content session={session} view={view} />
          </div>
        </div>
      )}
      <Problem text={view.problem} />
    </div>
  );
}

function TransferBar({ session, view }: { readonly session: TransferSession; readonly view: TransferView }): ReactNode {
  const { fileName, contents, running, reading, outcome, choices, taken } = view;
  const busy = running ?? reading;
  const chosen = choices.tables.filter(({ isChosen }) => isChosen).length;
  return (
    <RunBar label="Import">
      {busy ? (
        <RunningImport running={busy} onStop={() => session.stop()} />
      ) : (
        <>
          <b className="cut shrink-x import-name" title={fileName}>
            {fileName}
          </b>
          {contents && <span className="one-line dim">{formatBytes(contents.sizeBytes)}</span>}
          {contents && !outcome && (
            <Button
              size="small"
              variant="primary"
              why={whyNoTransfer(choices, taken)}
              onClick={() => void session.run()}
            >
              <Import size={14} aria-hidden /> {`Import ${plural(chosen, 'table')}`}
            </Button>
          )}
          {contents && !outcome && <span className="one-line dim">{plural(chosenRows(choices), 'row')}</span>}
        </>
      )}
    </RunBar>
  );
}

function Content({ session, view }: { readonly session: TransferSession; readonly view: TransferView }): ReactNode {
  const { contents, failure } = view;
  if (failure !== null)
    return (
      <div className="center-message" role="alert">
        <p>{failure}</p>
        <div className="import-buttons">
          <Button onClick={() => void session.readAgain()}>Read the file again</Button>
        </div>
      </div>
    );
  if (!contents) return <div className="fill shrink-x scroll" />;
  return (
    <div className="fill shrink-x scroll">
      <TransferTables session={session} view={view} />
      {contents.notes.length > 0 && (
        <ul className="note transfer-notes" aria-label="Notes">
          {contents.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {contents.sql && <LeftStatements sql={contents.sql} />}
    </div>
  );
}

interface TransferOutcomePartProps {
  readonly session: TransferSession;
  readonly view: TransferView;
  readonly outcome: TransferOutcome;
}

/** Result of an import of tables: the counts, next steps, and what was not imported. */
function TransferOutcomePart({ session, view, outcome }: TransferOutcomePartProps): ReactNode {
  const { database, problems, steps, isUndone, tables, notes } = outcome;
  const undo = async (): Promise<void> => {
    for (const step of steps) if (!(await undoStep(database, step))) return;
    session.noteUndone();
  };
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button is gone. Focus that the user has moved elsewhere stays there.
    if (document.activeElement === document.body) first.current?.focus();
  }, []);
  const isWarning = problems > 0 || (view.contents?.sql?.notUnderstood ?? 0) > 0;
  const Icon = isWarning ? TriangleAlert : CircleCheck;
  const [table] = tables;
  return (
    <section className="stack fill shrink-x scroll" aria-label="Result of the import">
      <div className="import-summary">
        <p role="status" className={isWarning ? 'import-warning' : 'import-good'}>
          <Icon size={16} aria-hidden /> {isUndone ? 'The import was undone.' : transferSummary(outcome)}
        </p>
        <div className="import-buttons">
          {table && !isUndone && (
            <Button ref={first} variant="primary" onClick={() => void showTable({ database, table: table.name })}>
              Open table
            </Button>
          )}
          {steps.length > 0 && !isUndone && <Button onClick={() => void undo()}>Undo import</Button>}
          <Button onClick={() => void session.backToChoices()}>Back to choices</Button>
        </div>
        {[...notes, ...(view.contents?.notes ?? [])].map((note) => (
          <p key={note} className="import-note">
            {note}
          </p>
        ))}
        {steps.length > 0 && !isUndone && (
          <p className="import-note">{`The import is one step in the history: ${commandKeyLabel('history.undo') ?? 'Undo'} undoes all of it.`}</p>
        )}
      </div>
      {problems > 0 && !isUndone && <RejectedRows outcome={outcome} />}
      {view.contents?.sql && <LeftStatements sql={view.contents.sql} />}
    </section>
  );
}

function RejectedRows({ outcome: { problems, kept } }: { readonly outcome: TransferOutcome }): ReactNode {
  const hidden = problems - kept.length;
  return (
    <section className="transfer-left" aria-label="Rows that were not imported">
      <h2>{`${plural(problems, 'row')} not imported`}</h2>
      {hidden > 0 && <p className="import-note">{`The first ${formatCount(kept.length)} are shown.`}</p>}
      <ol>
        {kept.map(({ table, row, reason }, at) => (
          <li key={at}>
            <span className="dim figures break-words">{`${table}, row ${formatCount(row)}`}</span>
            <span className="break-words">{reason}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The statements of an SQL file that were not run: where they are, why, and how they begin. */
function LeftStatements({ sql }: { readonly sql: NonNullable<TransferContents['sql']> }): ReactNode {
  const { notUnderstood, statements } = sql;
  if (notUnderstood === 0) return null;
  const hidden = notUnderstood - statements.length;
  return (
    <section className="transfer-left" aria-label="Statements that were not understood">
      <h2>{`${plural(notUnderstood, 'statement')} not understood`}</h2>
      <p className="import-note">
        {`${notUnderstood === 1 ? 'It was' : 'They were'} not run.${hidden > 0 ? ` The first ${formatCount(statements.length)} are shown.` : ''}`}
      </p>
      <ol>
        {statements.map(({ line, reason, text }, at) => (
          <li key={at}>
            <span className="dim figures break-words">{line > 0 ? `Line ${formatCount(line)}` : 'At the end'}</span>
            <span className="break-words">{reason}</span>
            {text !== '' && <code>{text}</code>}
          </li>
        ))}
      </ol>
    </section>
  );
}
