// The columns of a table as a list: name, type, and what fits into a line; add, remove and reorder.
import { ArrowDown, ArrowUp, Plus, Trash2, Waypoints } from 'lucide-react';
import type { ReactNode } from 'react';
import { setNotNull, setType } from '#shared/ddl/edit-columns.ts';
import {
  addColumn,
  dropColumn,
  dropConstraint,
  moveColumn,
  positionOfPrimaryKey,
  constraintAt,
  renameColumn,
  setPrimaryKey,
  setUnique,
} from '#shared/ddl/edit-table.ts';
import { sameName } from '#shared/ddl/names.ts';
import { STRICT_TYPES, strictProblems } from '#shared/ddl/strict-types.ts';
import type { ColumnModel, TableModel } from '#shared/ddl/table-model.ts';
import { writeColumn } from '#shared/ddl/write-constraint.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { openUses } from '../../workbench/tabs/uses.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, Field } from './fields.tsx';
import { freeName, moved, takenProblem, without } from './lists.ts';
import { STRICT_TAKES } from './unfinished.ts';
import { useItemList } from './use-item-list.ts';

const TYPES = [
  'INTEGER',
  'TEXT',
  'REAL',
  'BLOB',
  'NUMERIC',
  'BOOLEAN',
  'DATE',
  'DATETIME',
  'VARCHAR(255)',
  'DECIMAL(10,2)',
];

interface ColumnListProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: TableModel;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

export function ColumnList({ session, database, model, selected, onSelect }: ColumnListProps): ReactNode {
  const { columns, strict } = model;
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    columns.map(({ span }) => model.text.slice(span.from, span.to)),
  );
  const rejected = new Set(strictProblems(model).map(({ index }) => index));
  return (
    <section className="design-group" aria-labelledby="design-columns" {...listProps}>
      <div className="design-head">
        <h2 id="design-columns">Columns</h2>
        <ColumnTools
          session={session}
          database={database}
          model={model}
          selected={selected}
          onSelect={onSelect}
          addProps={addProps}
        />
      </div>
      <datalist id="design-types">
        {(strict ? STRICT_TYPES : TYPES).map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <table className="design-columns">
        <thead>
          <tr>
            <th>Name</th>
            <th>Type</th>
            <th>Affinity</th>
            <th title="Primary key">Key</th>
            <th>Not null</th>
            <th>Unique</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, index) => (
            <ColumnRow
              key={keys[index]}
              itemProps={itemProps(index)}
              session={session}
              model={model}
              column={column}
              index={index}
              isSelected={index === selected}
              isTypeRejected={rejected.has(index)}
              onSelect={() => onSelect(index)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type ColumnToolsProps = ColumnListProps & { readonly addProps: object };

function ColumnTools({ session, database, model, selected, onSelect, addProps }: ColumnToolsProps): ReactNode {
  const { columns } = model;
  const names = columns.map(({ name }) => name.name);
  const { identity } = session;
  const known = useKnownColumn(session, database, selected);
  const add = (): void => {
    const sql = writeColumn({ name: freeName(names, 'column_'), type: 'TEXT' });
    session.change(addColumn(model, columns.length, { sql }), [...identity, null]);
    onSelect(columns.length);
  };
  const move = (to: number): void => {
    session.change(moveColumn(model, selected, to), moved(identity, selected, to));
    onSelect(to);
  };
  const remove = (): void => session.change(dropColumn(model, selected), without(identity, selected));
  return (
    <>
      <IconButton label="Move up" isOff={selected === 0} onClick={() => move(selected - 1)}>
        <ArrowUp size={15} />
      </IconButton>
      <IconButton label="Move down" isOff={selected === columns.length - 1} onClick={() => move(selected + 1)}>
        <ArrowDown size={15} />
      </IconButton>
      <IconButton label="What uses this column?" disabled={known === null} onClick={() => known?.showUses()}>
        <Waypoints size={15} />
      </IconButton>
      <IconButton label="Remove the column" isOff={columns.length === 1} onClick={remove}>
        <Trash2 size={15} />
      </IconButton>
      <Button size="small" onClick={add} {...addProps}>
        <Plus size={14} aria-hidden /> Add column
      </Button>
    </>
  );
}

/** The column as it is in the database; null for a new one. */
function useKnownColumn(
  session: DesignSession,
  database: DatabaseId,
  index: number,
): { readonly showUses: () => void } | null {
  const base = session.useView(({ base: model }) => model);
  const at = session.identity[index];
  const table = session.name;
  if (base?.kind !== 'table' || table === null || at == null) return null;
  const { name } = base.columns[at]!.name;
  return { showUses: () => void openUses(database, table, name) };
}

interface ColumnRowProps {
  readonly itemProps: object;
  readonly session: DesignSession;
  readonly model: TableModel;
  readonly column: ColumnModel;
  readonly index: number;
  readonly isSelected: boolean;
  /** The table is STRICT and does not allow its type. */
  readonly isTypeRejected: boolean;
  readonly onSelect: () => void;
}

function ColumnRow({
  itemProps,
  session,
  model,
  column,
  index,
  isSelected,
  isTypeRejected,
  onSelect,
}: ColumnRowProps): ReactNode {
  const name = column.name.name;
  const shown = visibleName(name);
  const problemOf = takenProblem(
    model.columns.map((one) => one.name.name),
    name,
  );
  return (
    <tr {...itemProps} data-selected={isSelected || undefined} onFocusCapture={onSelect} onPointerDown={onSelect}>
      <td>
        <Field
          label={`Name of column ${index + 1}`}
          value={name}
          problemOf={problemOf}
          onCommit={(to) => session.change(renameColumn(model, index, to), session.identity)}
        />
      </td>
      <td>
        <Field
          label={`Type of ${shown}`}
          value={column.type?.sql ?? ''}
          list="design-types"
          invalid={isTypeRejected ? STRICT_TAKES : undefined}
          onCommit={(type) => session.change(setType(model, index, type), session.identity)}
        />
      </td>
      <td className="small faint clip design-affinity">{column.affinity}</td>
      <td>
        <Check
          label={`Primary key: ${shown}`}
          checked={keyNames(model).some((key) => sameName(key, name))}
          onChange={(isKey) => session.change(withKey(model, name, isKey))}
        />
      </td>
      <td>
        <Check
          label={`Not null: ${shown}`}
          checked={column.constraints.some(({ kind }) => kind === 'not-null')}
          onChange={(notNull) => session.change(setNotNull(model, index, notNull))}
        />
      </td>
      <td>
        <UniqueCheck session={session} model={model} index={index} />
      </td>
    </tr>
  );
}

function UniqueCheck({ session, model, index }: Pick<ColumnRowProps, 'session' | 'model' | 'index'>): ReactNode {
  const { name } = model.columns[index]!.name;
  const unique = uniqueOf(model, index);
  return (
    <Check
      label={`Unique: ${visibleName(name)}`}
      checked={unique !== null}
      onChange={(isUnique) =>
        session.change(
          isUnique
            ? setUnique(model, null, { columns: [{ name }] })
            : unique
              ? dropConstraint(model, unique)
              : model.text,
        )
      }
    />
  );
}

function keyNames(model: TableModel): readonly string[] {
  const position = positionOfPrimaryKey(model);
  const key = position && constraintAt(model, position);
  return key?.kind === 'primary-key' ? key.columns.map(({ column }) => column!.name) : [];
}

function withKey(model: TableModel, name: string, isKey: boolean): string {
  const others = keyNames(model).filter((key) => !sameName(key, name));
  const columns = (isKey ? [...others, name] : others).map((key) => ({ name: key }));
  return setPrimaryKey(model, columns.length === 0 ? null : { columns });
}

/** UNIQUE constraint of the column, defined with the column or with the table; null if there is none. */
function uniqueOf(
  { columns, constraints }: TableModel,
  index: number,
): { column: number | null; index: number } | null {
  const { name, constraints: own } = columns[index]!;
  const at = own.findIndex(({ kind }) => kind === 'unique');
  if (at >= 0) return { column: index, index: at };
  const inTable = constraints.findIndex(
    ({ constraint }) =>
      constraint.kind === 'unique' &&
      constraint.columns.length === 1 &&
      sameName(constraint.columns[0]!.column!.name, name.name),
  );
  return inTable < 0 ? null : { column: null, index: inTable };
}
