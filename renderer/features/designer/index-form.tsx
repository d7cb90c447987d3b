// The form of an index: its table, its columns and expressions in order, and the rows it covers.
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  addIndexColumn,
  dropIndexColumn,
  moveIndexColumn,
  renameIndex,
  setIndexColumn,
  setIndexTable,
  setIndexUnique,
  setIndexWhere,
} from '#shared/ddl/edit-index.ts';
import type { IndexColumnDefinition } from '#shared/ddl/edit-index.ts';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import { sameName, writeName } from '#shared/ddl/names.ts';
import type { IndexModel } from '#shared/ddl/object-models.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, Field, Line, NameField, OptionalCondition } from './fields.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { asWritten, COLLATION_OPTIONS, DEFAULT } from './lists.ts';
import { useItemList } from './use-item-list.ts';

interface IndexFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: IndexModel;
}

export function IndexForm({ session, database, model }: IndexFormProps): ReactNode {
  const tables = useSchema(database)?.objects.filter(({ kind }) => kind === 'table') ?? [];
  const names = tables.map(({ name }) => name);
  const table = asWritten(names, model.table.name);
  return (
    <>
      <section className="design-group" aria-label="Index">
        <NameField what="index" name={model.name.name} onRename={(name) => session.change(renameIndex(model, name))} />
        <Line label="Table">
          <Select
            label="Table"
            value={table}
            options={[...new Set([table, ...names])].map((name) => [name, visibleName(name)] as const)}
            onChoose={(name) => session.change(setIndexTable(model, name))}
          />
        </Line>
        <div className="design-options">
          <Check
            label="UNIQUE"
            isShown
            checked={model.unique !== null}
            onChange={(isUnique) => session.change(setIndexUnique(model, isUnique))}
          />
        </div>
      </section>
      <IndexColumns session={session} database={database} model={model} />
      <section className="design-group" aria-labelledby="design-rows">
        <h2 id="design-rows">Rows</h2>
        <OptionalCondition
          label="Only where"
          value={model.where?.sql ?? ''}
          onCommit={(condition) => session.change(setIndexWhere(model, condition))}
        />
      </section>
    </>
  );
}

function IndexColumns({ session, database, model }: IndexFormProps): ReactNode {
  const columns = useColumns(database)?.find(({ table }) => sameName(table, model.table.name))?.columns ?? [];
  const used = model.columns.flatMap(({ column }) => (column === null ? [] : [column.name]));
  const free = columns.find((name) => !used.some((one) => sameName(one, name))) ?? columns[0];
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    model.columns.map(({ span }) => model.text.slice(span.from, span.to)),
  );
  const add = (column: IndexColumnDefinition): void =>
    session.change(addIndexColumn(model, model.columns.length, column));
  return (
    <section className="design-group" aria-labelledby="design-columns" {...listProps}>
      <div className="design-head">
        <h2 id="design-columns">Columns</h2>
        <Button size="small" disabled={free === undefined} onClick={() => add({ column: free! })} {...addProps}>
          <Plus size={14} aria-hidden /> Add column
        </Button>
        <Button size="small" onClick={() => add({ expression: startOfExpression(free) })} {...addProps}>
          <Plus size={14} aria-hidden /> Add expression
        </Button>
      </div>
      <ol className="design-parts">
        {model.columns.map((_, index) => (
          <li key={keys[index]} className="design-part" {...itemProps(index)}>
            <IndexColumn session={session} model={model} index={index} columns={columns} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface IndexColumnProps {
  readonly session: DesignSession;
  readonly model: IndexModel;
  readonly index: number;
  /** Columns of the table. */
  readonly columns: readonly string[];
}

const EXPRESSION = '';
const ORDERS = [
  ['ASC', 'Ascending'],
  ['DESC', 'Descending'],
] as const;

function IndexColumn({ session, model, index, columns }: IndexColumnProps): ReactNode {
  const { column, expression, collation, order } = model.columns[index]!;
  const name = column === null ? null : asWritten(columns, column.name);
  const what: IndexColumnDefinition = name === null ? { expression: expression.sql } : { column: name };
  const set = (part: Pick<IndexColumnDefinition, 'collation' | 'order'>, now = what): void =>
    session.change(setIndexColumn(model, index, { ...now, collation: collation?.name ?? null, order, ...part }));
  const choose = (chosen: string): void =>
    set({}, chosen === EXPRESSION ? { expression: startOfExpression(name ?? columns[0]) } : { column: chosen });
  const number = index + 1;
  const collated = collation?.name.toUpperCase() ?? DEFAULT;
  return (
    <>
      <Select
        label={`Column ${number}`}
        value={name ?? EXPRESSION}
        options={[
          ...[...new Set([...(name === null ? [] : [name]), ...columns])].map(
            (one) => [one, visibleName(one)] as const,
          ),
          [EXPRESSION, 'Expression'],
        ]}
        onChoose={choose}
      />
      {name === null && (
        <Field
          label={`Expression ${number}`}
          value={expression.sql}
          problemOf={expressionProblem}
          onCommit={(sql) => set({}, { expression: sql })}
        />
      )}
      <span className="design-part-end">
        <Select
          label={`Collation of column ${number}`}
          value={collated}
          options={[
            ...COLLATION_OPTIONS,
            ...(COLLATION_OPTIONS.some(([one]) => one === collated) ? [] : [[collated, collated] as const]),
          ]}
          onChoose={(chosen) => set({ collation: chosen === DEFAULT ? null : chosen })}
        />
        <Select
          label={`Order of column ${number}`}
          value={order ?? 'ASC'}
          options={ORDERS}
          onChoose={(chosen) => set({ order: chosen === 'ASC' ? null : chosen })}
        />
        <OrderButtons
          what={`column ${number}`}
          index={index}
          count={model.columns.length}
          onMove={(to) => session.change(moveIndexColumn(model, index, to))}
          onRemove={() => session.change(dropIndexColumn(model, index))}
        />
      </span>
    </>
  );
}

/** SQLite does not allow constants here, so it begins with a column. */
function startOfExpression(column: string | undefined): string {
  return column === undefined ? '(1)' : `lower(${writeName(column)})`;
}
