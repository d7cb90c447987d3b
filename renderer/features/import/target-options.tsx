// Where the rows go: a database, a table, and what happens to existing rows.
import { whyNoTransactions } from '../../workbench/databases/no-transactions.ts';
import type { ReactNode } from 'react';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { TableDetail } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useSchema } from '../../state/schema.ts';
import { useStore } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { unfilled, writable } from '#shared/import/column-choices.ts';
import { CheckLine, ChoiceLine, TextLine } from './form-parts.tsx';
import type { ImportSession } from './import-session.ts';
import type { ImportView } from './import-view.ts';
import type { Existing, Mode, TargetChoice } from '#shared/import/target-choice.ts';

const NEW = '';

const MODES: readonly (readonly [Mode, string])[] = [
  ['append', 'Add rows'],
  ['replace', 'Replace all rows'],
  ['upsert', 'Update by key'],
];

const EXISTING: readonly (readonly [Existing, string])[] = [
  ['overwrite', 'Overwrite'],
  ['fill', 'Fill NULLs only'],
  ['skip', 'Keep as is'],
];

interface TargetOptionsProps {
  readonly session: ImportSession;
  readonly view: ImportView;
}

export function TargetOptions({ session, view }: TargetOptionsProps): ReactNode {
  const { target } = view;
  const set = (change: Partial<TargetChoice>): void => void session.setTarget(change);
  const openDatabases = useStore((state) => state.openDatabases);
  const schema = useSchema(target.database);
  const tables = (schema?.objects ?? []).filter(({ kind, problem }) => kind === 'table' && problem === null);
  const table = target.kind === 'table' ? target.table : null;
  return (
    <section className="import-group" aria-labelledby="import-target">
      <h2 id="import-target">Into</h2>
      <ChoiceLine
        label="Database"
        value={target.database ?? NEW}
        options={[
          ...Object.values(openDatabases)
            .filter(({ entry }) => whyNoTransactions(entry.id) === null)
            .map(({ entry }) => [entry.id, visibleName(entry.name)] as const),
          [NEW, 'New database in the library'],
        ]}
        onChoose={(id) => set({ database: id === NEW ? null : id, kind: 'new-table', table: null })}
      />
      {target.database === null && (
        <TextLine
          label="Database name"
          value={target.databaseName}
          onCommit={(databaseName) => databaseName.trim() !== '' && set({ databaseName: databaseName.trim() })}
        />
      )}
      {target.database !== null && (
        <ChoiceLine
          label="Table"
          value={table ?? NEW}
          options={[[NEW, 'New table'], ...tables.map(({ name }) => [name, visibleName(name)] as const)]}
          onChoose={(name) => set(name === NEW ? { kind: 'new-table', table: null } : { kind: 'table', table: name })}
        />
      )}
      {target.kind === 'new-table' ? (
        <>
          <TextLine
            label="Table name"
            value={target.newTable}
            onCommit={(name) => name.trim() !== '' && set({ newTable: name.trim() })}
          />
          <CheckLine
            label="STRICT"
            note="SQLite rejects values that do not fit the type of their column."
            checked={target.strict}
            onChange={(strict) => set({ strict })}
          />
        </>
      ) : (
        <ExistingTable session={session} view={view} set={set} />
      )}
    </section>
  );
}

interface ExistingTableProps extends TargetOptionsProps {
  readonly set: (change: Partial<TargetChoice>) => void;
}

function ExistingTable({ session, view, set }: ExistingTableProps): ReactNode {
  const { target, detail, columns } = view;
  if (!detail) return null;
  const names = writable(detail.columns);
  const missing = unfilled(columns, names);
  const generated = detail.columns.length - names.length;
  return (
    <>
      <ChoiceLine
        label="Rows"
        value={target.mode}
        options={MODES}
        onChoose={(mode) => set({ mode: mode as Mode })}
        {...(target.mode === 'replace' && {
          note: 'All rows that are in the table now are deleted. Undo restores them.',
        })}
      />
      {target.mode === 'upsert' && <KeyChoice target={target} detail={detail} set={set} />}
      <div className="row gap-6 wrap import-match" role="group" aria-label="Match columns">
        <span className="dim import-label">Match</span>
        <Button size="small" onClick={() => session.matchBy('name')}>
          By name
        </Button>
        <Button size="small" onClick={() => session.matchBy('order')}>
          By order
        </Button>
      </div>
      {missing.length > 0 && (
        <p className="import-note">
          {`Not in the file, so the default or NULL is stored: ${missing.map((name) => `“${name}”`).join(', ')}.`}
        </p>
      )}
      {generated > 0 && (
        <p className="import-note">{`${plural(generated, 'generated column')}: SQLite computes the values.`}</p>
      )}
    </>
  );
}

interface KeyChoiceProps {
  readonly target: TargetChoice;
  readonly detail: TableDetail;
  readonly set: (change: Partial<TargetChoice>) => void;
}

/** Columns that are not a key of the table. */
const OTHER_KEY = '';

function KeyChoice({ target, detail, set }: KeyChoiceProps): ReactNode {
  const names = writable(detail.columns);
  const keys = keysOf(detail);
  const chosen = keys.find(({ columns }) => isSameKey(columns, target.key));
  return (
    <>
      {keys.length > 0 && (
        <ChoiceLine
          label="Unique key"
          value={chosen?.id ?? OTHER_KEY}
          options={[
            ...keys.map(({ id, label }) => [id, label] as const),
            ...(chosen ? [] : [[OTHER_KEY, 'Other columns'] as const]),
          ]}
          onChoose={(id) => set({ key: keys.find((key) => key.id === id)?.columns ?? [] })}
        />
      )}
      <fieldset className="import-key">
        <legend>Key</legend>
        {names.map((name) => (
          <CheckBox
            key={name}
            className="row gap-6 break-words import-check"
            label={name}
            checked={target.key.includes(name)}
            onChange={(isOn) =>
              set({ key: isOn ? [...target.key, name] : target.key.filter((other) => other !== name) })
            }
          />
        ))}
      </fieldset>
      <ChoiceLine
        label="Existing rows"
        value={target.existing}
        options={EXISTING}
        onChoose={(existing) => set({ existing: existing as Existing })}
      />
    </>
  );
}

interface NamedKey {
  readonly id: string;
  readonly label: string;
  readonly columns: readonly string[];
}

/** The primary key first; each set of columns once. */
function keysOf({ columns, uniqueKeys }: TableDetail): readonly NamedKey[] {
  const primary = primaryKeyOf(columns).map(({ name }) => name);
  const all: readonly NamedKey[] = [
    ...(primary.length > 0
      ? [{ id: JSON.stringify(primary), label: `Primary key: ${listOf(primary)}`, columns: primary }]
      : []),
    ...uniqueKeys.map((key) => ({
      id: JSON.stringify(key.columns),
      label: `${key.index ?? 'UNIQUE'}: ${listOf(key.columns)}`,
      columns: key.columns,
    })),
  ];
  return all.filter(({ columns: own }, at) => !all.slice(0, at).some((earlier) => isSameKey(earlier.columns, own)));
}

const listOf = (names: readonly string[]): string => names.map(visibleName).join(', ');

const isSameKey = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name));
