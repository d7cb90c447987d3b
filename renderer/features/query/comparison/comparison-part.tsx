// Two results of a tab compared: rows that were added, removed, or changed, by the columns that are chosen as their key.
import { ChevronDown } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { AppError, ComparedColumn, DatabaseId, ResultDifferences } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../../connection/database-client.ts';
import { useColumns } from '../../../state/schema.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount, plural } from '../../../ui/format.ts';
import { Menu } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { DifferenceTable } from '../../../workbench/differences/difference-table.tsx';
import { shortSql } from '../../../workbench/text/short-sql.ts';
import { isArranged, type QueryResult } from '../query-view.ts';
import { comparable, suggestedKey } from './compared-results.ts';
import { toAppError } from '#shared/protocol/index.ts';

/** Compares two results in the worker, and again when one of them is sorted, filtered, or has other rows. */
type ComparisonOutcome =
  | { readonly kind: 'running'; stop(): void }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'compared'; readonly counts: ResultDifferences }
  | { readonly kind: 'failed'; readonly error: AppError };

interface Comparing {
  readonly outcome: ComparisonOutcome;
  readonly again: () => void;
}

/** @param key indexes into `columns`; must stay the same array as long as the key is the same */
function useComparison(
  before: QueryResult,
  after: QueryResult,
  columns: readonly ComparedColumn[],
  key: readonly number[],
): Comparing {
  const [runs, setRuns] = useState(0);
  const [outcome, setOutcome] = useState<ComparisonOutcome>({ kind: 'waiting' });
  const isReady = before.ended && after.ended && columns.length > 0;
  useEffect(() => {
    if (!isReady) return setOutcome({ kind: 'waiting' });
    const abort = new AbortController();
    // The previous outcome stays until then: a quick comparison should not flicker.
    const slow = setTimeout(() => setOutcome({ kind: 'running', stop: () => abort.abort() }), SLOW_MS);
    let isOver = false;
    const end = (next: ComparisonOutcome): void => {
      clearTimeout(slow);
      if (!isOver) setOutcome(next);
    };
    const params = { reader: before.source.reader, to: after.source.reader, columns, key };
    client.call('results.compare', params, { signal: abort.signal }).then(
      (counts) => end({ kind: 'compared', counts }),
      (thrown: unknown) => end({ kind: 'failed', error: toAppError(thrown) }),
    );
    return () => {
      isOver = true;
      clearTimeout(slow);
      abort.abort();
    };
  }, [before.source, after.source, before.arrangement, after.arrangement, columns, key, runs, isReady]);
  useEffect(() => {
    const stops = [before.source, after.source].map((source) =>
      source.subscribe(({ kind }) => kind !== 'extent' && setRuns((count) => count + 1)),
    );
    return () => stops.forEach((stop) => stop());
  }, [before.source, after.source]);
  return { outcome, again: () => setRuns((count) => count + 1) };
}

const SLOW_MS = 300;

interface ComparisonPartProps {
  readonly database: DatabaseId;
  readonly results: readonly QueryResult[];
  readonly before: QueryResult;
  readonly after: QueryResult;
  onChoose(before: number, after: number): void;
}

export function ComparisonPart({ database, results, before, after, onChoose }: ComparisonPartProps): ReactNode {
  const tables = useColumns(database);
  const { columns, onlyBefore, onlyAfter } = useMemo(
    () => comparable(before.source.info, after.source.info),
    [before.source, after.source],
  );
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const key = useMemo(() => {
    const places = chosen?.map((name) => columns.findIndex((column) => column.name === name));
    if (places?.every((place) => place >= 0)) return places;
    return suggestedKey(columns, before.source.info, tables ?? []);
  }, [chosen, columns, before.source, tables]);
  const { outcome, again } = useComparison(before, after, columns, key);
  const choices = results.map(({ id, sql }, index) => [String(id), `Result ${index + 1}: ${shortSql(sql)}`] as const);
  const notes = [
    onlyBefore.length > 0 && `Only in the first: ${onlyBefore.map(visibleName).join(', ')}`,
    onlyAfter.length > 0 && `Only in the second: ${onlyAfter.map(visibleName).join(', ')}`,
    (isArranged(before.arrangement) || isArranged(after.arrangement)) && 'Rows hidden by a filter are not compared',
  ].filter(Boolean);
  return (
    <section className="stack full-height result-comparison" aria-label="Comparison of two results">
      <div className="row ruled-bar wrap dim result-comparison-bar" role="toolbar" aria-label="Compared results">
        <Select
          label="Compare from"
          value={String(before.id)}
          options={choices.filter(([id]) => id !== String(after.id))}
          onChoose={(id) => onChoose(Number(id), after.id)}
        />
        <span>to</span>
        <Select
          label="Compare to"
          value={String(after.id)}
          options={choices.filter(([id]) => id !== String(before.id))}
          onChoose={(id) => onChoose(before.id, Number(id))}
        />
        <KeyMenu
          names={columns.map(({ name }) => name)}
          chosen={key.map((place) => columns[place]!.name)}
          onChoose={setChosen}
        />
      </div>
      {columns.length === 0 ? (
        <p className="query-empty">The results have no columns in common.</p>
      ) : (
        <Differences outcome={outcome} before={before} again={again} />
      )}
      {notes.length > 0 && <p className="note fixed figures result-comparison-note">{notes.join('. ')}.</p>}
    </section>
  );
}

interface KeyMenuProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  onChoose(names: readonly string[]): void;
}

function KeyMenu({ names, chosen, onChoose }: KeyMenuProps): ReactNode {
  const toggle = (name: string): void =>
    onChoose(names.filter((each) => (each === name ? !chosen.includes(name) : chosen.includes(each))));
  return (
    <Menu
      trigger={
        <button type="button" className="row-inline gap-5 result-comparison-key small-field">
          <span>Match rows by</span> <b>{chosen.map(visibleName).join(', ') || 'position'}</b>
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      }
      entries={[
        { label: 'Row position', checked: chosen.length === 0, run: () => onChoose([]) },
        'separator',
        ...names.map((name) => ({
          label: visibleName(name),
          checked: chosen.includes(name),
          run: () => toggle(name),
        })),
      ]}
    />
  );
}

interface DifferencesProps {
  readonly outcome: ComparisonOutcome;
  readonly before: QueryResult;
  readonly again: () => void;
}

function Differences({ outcome, before, again }: DifferencesProps): ReactNode {
  const { reader } = before.source;
  const counts = outcome.kind === 'compared' ? outcome.counts : null;
  const tables = useMemo(() => (counts ? [{ table: 'result', ...counts }] : []), [counts]);
  // Another comparison is a different list, under the same first result.
  const read = useMemo(
    () => (start: number, count: number) => client.call('results.differences', { reader, start, count }),
    // oxlint-disable-next-line react/exhaustive-deps -- the worker keeps the last comparison of a reader
    [reader, counts],
  );
  switch (outcome.kind) {
    case 'waiting':
      return <p className="query-empty" aria-busy="true" />;
    case 'running':
      return (
        <div className="query-empty" role="status">
          <p>Comparing…</p>
          <Button size="small" onClick={() => outcome.stop()}>
            Stop
          </Button>
        </div>
      );
    case 'failed':
      return (
        <div className="query-empty" role="alert">
          <p className="error result-comparison-error selectable">{outcome.error.message}</p>
          <Button size="small" onClick={again}>
            Compare again
          </Button>
        </div>
      );
    case 'compared':
      return (
        <>
          <p className="note fixed figures result-comparison-counts" role="status">
            {countsText(outcome.counts)}
          </p>
          <div className="fill anchor">
            <DifferenceTable
              label="Rows that differ"
              tables={tables}
              read={read}
              empty="The results have the same rows."
            />
          </div>
        </>
      );
  }
}

function countsText({ inserted, updated, deleted, same, repeated, listed }: ResultDifferences): string {
  const parts = [
    `${plural(inserted, 'row')} added, ${formatCount(deleted)} removed, ${formatCount(updated)} changed, ${formatCount(same)} the same`,
  ];
  if (repeated > 0)
    parts.push(
      `${plural(repeated, 'row has', 'rows have')} the same key as an earlier row; rows with the same key are matched in order`,
    );
  if (listed < inserted + updated + deleted) parts.push(`The first ${formatCount(listed)} differences are listed`);
  return `${parts.join('. ')}.`;
}
