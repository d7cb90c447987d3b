// The tables of a file: which of them are imported, and under which names.
import type { ReactNode } from 'react';
import { formatCount, plural } from '../../ui/format.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import { canMove, choiceProblems } from '#shared/import/transfer-choices.ts';
import type { TableChoice } from '#shared/import/transfer-choices.ts';
import type { TransferSession } from './transfer-session.ts';
import type { TransferView } from './transfer-view.ts';

interface TransferTablesProps {
  readonly session: TransferSession;
  readonly view: TransferView;
}

const KINDS: Readonly<Record<TableChoice['kind'], string>> = {
  table: 'Table',
  virtual: 'Virtual table',
  view: 'View',
};

export function TransferTables({ session, view }: TransferTablesProps): ReactNode {
  const { choices, taken } = view;
  const { tables } = choices;
  const problems = choiceProblems(choices, taken);
  if (tables.length === 0) return <p className="import-empty">There are no tables in this file.</p>;
  const readable = tables.filter(({ problem }) => problem === null);
  const chosen = readable.filter(({ isChosen }) => isChosen).length;
  return (
    <table className="transfer-tables" aria-label="Tables in the file">
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
        <span className="transfer-kind">{detailsOf(table)}</span>
        {table.problem !== null && <span className="import-bad">{table.problem}</span>}
        {problem !== undefined && <span className="import-bad">{problem}</span>}
      </th>
      <td className="transfer-number">{rows === null ? '' : formatCount(rows)}</td>
      <td>
        {kind === 'view' ? (
          'View'
        ) : (
          <select
            className="small-field"
            aria-label={`Import ${name} as`}
            value={how}
            disabled={!isChosen}
            onChange={(event) => onChange({ how: event.target.value as TableChoice['how'] })}
          >
            <option value="new">New table</option>
            <option value="append">Add rows</option>
          </select>
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
        <select
          className="small-field"
          aria-label={`Add the rows of ${name} to`}
          value={into}
          disabled={!isChosen}
          onChange={(event) => onChange({ into: event.target.value })}
        >
          {(isTaken ? taken : [into, ...taken]).map((other) => (
            <option key={other} value={other}>
              {other}
            </option>
          ))}
        </select>
      )}
      {isTaken && <span className="transfer-kind">Exists</span>}
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
