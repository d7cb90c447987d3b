// The rows of both sides: which tables are compared and by which columns, and the rows that differ.
import { useState, useCallback, useMemo, type ReactNode } from 'react';
import { sameName } from '#shared/ddl/names.ts';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type {
  ComparedTables,
  DatabaseId,
  RowComparison,
  SchemaText,
  ChangeCounts,
  TableCounts,
} from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { whyReadOnly } from '../../state/databases.ts';
import { Button } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { amountText } from '../../ui/progress-text.ts';
import { Running } from '../../ui/run-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { SIGNS } from '../../workbench/differences/difference-lines.ts';
import { DifferenceTable, type RowCheck } from '../../workbench/differences/difference-table.tsx';
import { formatEntries } from '../../workbench/files/export-format.ts';
import { PATCH_FORMATS } from '../../workbench/history/patch-formats.ts';
import type { SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';
import { useReadCost } from '../../workbench/rows/read-cost.ts';
import {
  allChosen,
  allOf,
  chosenOf,
  isChosen,
  ROW_KINDS,
  withKind,
  withRow,
  type ChosenRows,
  type RowKind,
} from './rows-choice.ts';
import type { RowsGoal, RowsSession, RowsView, TableNames } from './rows-session.ts';
import { useSideName } from './side-choice.tsx';

interface RowsPartProps {
  readonly tab: SchemaCompareTab;
  readonly session: RowsSession;
  readonly from: SchemaText;
  readonly to: SchemaText;
}

const ALL = '';

export function RowsPart({ tab, session, from, to }: RowsPartProps): ReactNode {
  const view = session.useView();
  const names = { from: useSideName(tab.from), to: useSideName(tab.to) };
  const [choice, setChoice] = useState({ from: ALL, to: ALL, key: '' });
  const { running, result, failure } = view;
  const tables = tableNamesOf(from, to, choice);
  const cost = useServerCost(view.goal, tables, names);
  const compare = (): void => void session.compare(tablesOf(choice), tables);
  useCommand('work.stop', () => session.stop(), running !== null);
  if (!view.goal) return <NoRows isEarlier={tab.from.before !== null} />;
  return (
    <>
      <div className="migration-bar">
        {running ? (
          <Running
            work={running}
            text={[running.title, running.progress && amountText(running.progress)].filter(Boolean).join(' · ')}
            stopTitle="Stop without changing anything"
            onStop={() => session.stop()}
          />
        ) : (
          <>
            <Tables from={from} to={to} choice={choice} onChoose={setChoice} />
            <Button size="small" variant="primary" onClick={compare}>
              Compare rows
            </Button>
            {cost !== '' && <span className="dim">{cost}</span>}
            <span className="grow" />
            {result && result.tables.length > 0 && (
              <Answers session={session} view={view} result={result} names={names} database={view.goal.from} />
            )}
          </>
        )}
      </div>
      {failure && (
        <p className="error-note fixed break-words migration-failure" role="alert">
          {failure}
        </p>
      )}
      {view.isStale && !running && (
        <p className="schema-diff-note" role="status">
          One of the databases has changed since the comparison.{' '}
          <button type="button" className="link-button" onClick={compare}>
            Compare again
          </button>
        </p>
      )}
      {result ? (
        <RowsResult result={result} chosen={view.chosen} onChoose={(chosen) => session.choose(chosen)} />
      ) : (
        <p className="schema-diff-note">
          Rows are matched by primary key if both tables have the same one, otherwise by a unique key, otherwise by row
          id. When you compare two tables, you can choose the columns.
        </p>
      )}
    </>
  );
}

function NoRows({ isEarlier }: { readonly isEarlier: boolean }): ReactNode {
  return (
    <CenterMessage
      title={isEarlier ? 'Only the current version can be changed' : 'Rows are compared between databases'}
      text={
        isEarlier
          ? 'The left side is an earlier version. Swap the sides.'
          : 'One side is a file that is only read. Open it as a database first.'
      }
    />
  );
}

interface Choice {
  readonly from: string;
  readonly to: string;
  /** Names separated by commas. */
  readonly key: string;
}

function tablesOf({ from, to, key }: Choice): readonly ComparedTables[] | null {
  if (from === ALL) return null;
  const columns = key
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [{ from, to: to === ALL ? from : to, key: columns.length > 0 ? columns : null }];
}

/** The tables on both sides that the user can choose from. */
function tableNamesOf(from: SchemaText, to: SchemaText, choice: Choice): TableNames {
  if (choice.from !== ALL) return { from: [choice.from], to: [choice.to === ALL ? choice.from : choice.to] };
  const pairs = tablesIn(from).flatMap((name) => {
    const other = tablesIn(to).find((candidate) => sameName(candidate, name));
    return other === undefined ? [] : [[name, other] as const];
  });
  return { from: pairs.map(([name]) => name), to: pairs.map(([, other]) => other) };
}

const tablesIn = ({ objects }: SchemaText): readonly string[] =>
  objects.flatMap(({ kind, name }) => (kind === 'table' || kind === 'virtual' ? [name] : []));

/** Cost of reading from servers; empty if it is small, and for databases on this computer. */
function useServerCost(goal: RowsGoal | null, tables: TableNames, names: Sides): string {
  const isOfTwo = goal !== null && [goal.from, goal.to].every((side) => !capabilitiesOf(side).freeReads);
  const from = useReadCost(goal?.from ?? null, tables.from, isOfTwo ? names.from : null);
  const to = useReadCost(goal?.to ?? null, tables.to, isOfTwo ? names.to : null);
  return [from, to].filter((cost) => cost !== '').join(' ');
}

interface Sides {
  readonly from: string;
  readonly to: string;
}

interface TablesProps {
  readonly from: SchemaText;
  readonly to: SchemaText;
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}

function Tables({ from, to, choice, onChoose }: TablesProps): ReactNode {
  const optionsOf = ({ objects }: SchemaText): readonly (readonly [string, string])[] =>
    objects.flatMap(({ kind, name }) => (kind === 'table' ? [[name, visibleName(name)] as const] : []));
  return (
    <>
      <Select
        label="Table on the left"
        value={choice.from}
        options={[[ALL, 'All tables in both'], ...optionsOf(from)]}
        onChoose={(table) => onChoose({ ...choice, from: table })}
      />
      {choice.from !== ALL && (
        <>
          <Select
            label="Table on the right"
            value={choice.to}
            options={[[ALL, 'The same name'], ...optionsOf(to)]}
            onChoose={(table) => onChoose({ ...choice, to: table })}
          />
          <input
            className="small-field"
            aria-label="Key columns"
            placeholder="Key columns (automatic)"
            title="Names of the columns by which rows are matched, separated by commas"
            spellCheck={false}
            value={choice.key}
            onChange={(event) => onChoose({ ...choice, key: event.target.value })}
          />
        </>
      )}
    </>
  );
}

interface AnswersProps {
  readonly session: RowsSession;
  readonly view: RowsView;
  readonly result: RowComparison;
  readonly names: Sides;
  readonly database: DatabaseId;
}

function Answers({ session, view: { chosen }, result: { changes }, names, database }: AnswersProps): ReactNode {
  const whyNoPatch = changes === null ? 'There are too many differences for a patch. Compare fewer tables.' : null;
  const [count, all] = changes === null ? [0, 0] : [allChosen(chosen, changes), allOf(changes)];
  const whyNone = changes !== null && count === 0 ? 'No row is selected.' : null;
  const save = formatEntries(PATCH_FORMATS, (format) => void session.save(format, `${names.from} to ${names.to}`));
  return (
    <>
      {whyNoPatch === null && (
        <Menu
          trigger={
            <button
              type="button"
              className="button button-small"
              disabled={whyNone !== null}
              title={whyNone ?? undefined}
            >
              Save as patch…
            </button>
          }
          entries={save}
        />
      )}
      <Button
        size="small"
        why={whyReadOnly(database) ?? whyNoPatch ?? whyNone}
        title={`Changes these rows of “${names.from}” to match “${names.to}”, ${capabilitiesOf(database).history ? 'as one step that can be undone' : 'all in one batch, or none if one of them has changed since'}`}
        onClick={() => void session.apply(names.to)}
      >
        {count < all ? `Apply ${formatCount(count)} of ${plural(all, 'row')}` : 'Apply'} to “{visibleName(names.from)}”
      </Button>
    </>
  );
}

// The rows that differ, each with a check box: what is applied or saved.

const VERBS: Readonly<Record<RowKind, string>> = { inserted: 'Add', updated: 'Change', deleted: 'Delete' };

interface KindChoiceProps {
  readonly counts: ChangeCounts;
  readonly hasUnlisted: boolean;
  readonly chosen: ChosenRows;
  readonly onChoose: (chosen: ChosenRows) => void;
}

/** Check boxes that choose all rows of a kind that differ, or none. */
function KindChoice({ counts, hasUnlisted, chosen, onChoose }: KindChoiceProps): ReactNode {
  return (
    <div className="wrap kind-choice" role="group" aria-label="Rows to apply">
      {ROW_KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
        const count = chosenOf(chosen, kind, counts);
        const isAll = count === counts[kind];
        return (
          <label key={kind} title={hasUnlisted ? 'Includes rows that are not listed' : undefined}>
            <input
              type="checkbox"
              checked={isAll}
              ref={(box) => {
                if (box) box.indeterminate = !isAll && count > 0;
              }}
              onChange={() => onChoose(withKind(chosen, kind, !isAll))}
            />
            <span className={`count-${kind}`}>{SIGNS[kind]}</span>
            {VERBS[kind]} {isAll ? '' : `${formatCount(count)} of `}
            {formatCount(counts[kind])}
          </label>
        );
      })}
    </div>
  );
}

interface ResultProps {
  readonly result: RowComparison;
  readonly chosen: ChosenRows;
  readonly onChoose: (chosen: ChosenRows) => void;
}

function RowsResult({ result, chosen, onChoose }: ResultProps): ReactNode {
  const read = useCallback(
    (start: number, count: number) =>
      Promise.resolve({ rows: result.rows.slice(start, start + count), total: result.rows.length }),
    [result],
  );
  const listed = useMemo(() => [...result.listed], [result]);
  const check: RowCheck = {
    isOn: (row) => {
      const [number, found] = [result.numbers[row], result.rows[row]];
      return number == null || !found ? null : isChosen(chosen, found.kind, number);
    },
    toggle: (row) => onChoose(withRow(chosen, result.rows[row]!.kind, result.numbers[row]!)),
  };
  return (
    <>
      <p className="schema-diff-note" role="status">
        {summary(result)}
      </p>
      {result.notes.length > 0 && (
        <ul className="warn-note ruled-bar small schema-diff-notes" aria-label="Notes">
          {result.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {result.changes !== null && result.rows.length > 0 && (
        <KindChoice
          counts={result.changes}
          hasUnlisted={allOf(result.changes) > result.rows.length}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {result.rows.length > 0 && (
        <div className="fill">
          <DifferenceTable
            label="Rows that differ"
            tables={listed}
            read={read}
            empty="No rows differ."
            {...(result.changes !== null && { check })}
          />
        </div>
      )}
    </>
  );
}

function summary({ tables, tablesCompared, rows }: RowComparison): string {
  const sum = (of: (counts: TableCounts) => number): number => tables.reduce((total, counts) => total + of(counts), 0);
  const [inserted, updated, deleted] = [sum((c) => c.inserted), sum((c) => c.updated), sum((c) => c.deleted)];
  const total = inserted + updated + deleted;
  const compared = plural(tablesCompared, 'table');
  if (total === 0) return `All rows of ${compared} are the same.`;
  const counts = `${compared} compared: ${formatCount(inserted)} only on the right, ${formatCount(updated)} different, ${formatCount(deleted)} only on the left.`;
  return total > rows.length ? `${counts} The first ${formatCount(rows.length)} rows are listed.` : counts;
}
