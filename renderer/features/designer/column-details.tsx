// Properties of a column besides name and type: default, collation, computation, comment.
import type { ReactNode } from 'react';
import { setCollation, setComment, setDefault, setGenerated } from '#shared/ddl/edit-columns.ts';
import { constraintAt, positionOfPrimaryKey, setPrimaryKey } from '#shared/ddl/edit-table.ts';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import type { ColumnConstraint, GeneratedConstraint, TableModel } from '#shared/ddl/table-model.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, Field, Line } from './fields.tsx';

const NONE = '';
const COLLATIONS = ['NOCASE', 'RTRIM', 'BINARY'];

interface ColumnDetailsProps {
  readonly session: DesignSession;
  readonly model: TableModel;
  readonly index: number;
}

export function ColumnDetails({ session, model, index }: ColumnDetailsProps): ReactNode {
  const column = model.columns[index]!;
  const last = <Kind extends ColumnConstraint['kind']>(kind: Kind) =>
    column.constraints.filter((one): one is Extract<ColumnConstraint, { kind: Kind }> => one.kind === kind).at(-1);
  const collation = last('collate')?.collation.name ?? NONE;
  return (
    <section className="design-group" aria-labelledby="design-column">
      <h2 id="design-column">Column “{visibleName(column.name.name)}”</h2>
      <Line label="Default">
        <Field
          label="Default"
          value={last('default')?.value.sql ?? ''}
          placeholder="NULL"
          problemOf={(sql) => (sql.trim() === '' ? null : expressionProblem(sql))}
          onCommit={(sql) => session.change(setDefault(model, index, sql.trim() === '' ? null : asDefault(sql)))}
        />
      </Line>
      <Line label="Collation">
        <Select
          label="Collation"
          value={collation}
          options={[
            [NONE, 'Default'],
            ...[...new Set([...(collation === NONE ? [] : [collation]), ...COLLATIONS])].map(
              (name) => [name, name] as const,
            ),
          ]}
          onChoose={(name) => session.change(setCollation(model, index, name === NONE ? null : name))}
        />
      </Line>
      <Computed session={session} model={model} index={index} generated={last('generated') ?? null} />
      <Line label="Comment">
        <Field
          label="Comment"
          value={column.comment?.text ?? ''}
          onCommit={(comment) => session.change(setComment(model, index, comment))}
        />
      </Line>
      <Autoincrement session={session} model={model} index={index} />
    </section>
  );
}

function Computed({
  session,
  model,
  index,
  generated,
}: ColumnDetailsProps & { generated: GeneratedConstraint | null }): ReactNode {
  const set = (expression: string, storage: GeneratedConstraint['storage']): void =>
    session.change(setGenerated(model, index, expression.trim() === '' ? null : { expression, storage }));
  return (
    <Line label="Computed as">
      <Field
        label="Computed as"
        value={generated?.expression.sql ?? ''}
        placeholder="Expression"
        problemOf={(sql) => (sql.trim() === '' ? null : expressionProblem(sql))}
        onCommit={(expression) => set(expression, generated?.storage ?? 'virtual')}
      />
      {generated && (
        <Select
          label="Computed when"
          value={generated.storage}
          options={[
            ['virtual', 'When read'],
            ['stored', 'When written'],
          ]}
          onChoose={(storage) => set(generated.expression.sql, storage)}
        />
      )}
    </Line>
  );
}

/** Shown only for an INTEGER column that is the whole primary key. */
function Autoincrement({ session, model, index }: ColumnDetailsProps): ReactNode {
  const { type, name } = model.columns[index]!;
  const position = positionOfPrimaryKey(model);
  const key = position && constraintAt(model, position);
  if (key?.kind !== 'primary-key' || key.columns.length !== 1) return null;
  if (key.columns[0]!.column!.name.toLowerCase() !== name.name.toLowerCase() || type?.sql.toUpperCase() !== 'INTEGER')
    return null;
  return (
    <Check
      label="AUTOINCREMENT"
      isShown
      checked={key.autoincrement}
      onChange={(autoincrement) =>
        session.change(
          setPrimaryKey(model, { columns: [{ name: name.name }], autoincrement, onConflict: key.onConflict }),
        )
      }
    />
  );
}

/** Literals unchanged, everything else in parentheses, as SQLite requires. */
function asDefault(sql: string): string {
  const text = sql.trim();
  const isLiteral = /^(?:[-+]?\s*\d[\w.+-]*|'(?:[^']|'')*'|[xX]'[\da-fA-F]*'|\w+|\([^]*\))$/.test(text);
  return isLiteral ? text : `(${text})`;
}
