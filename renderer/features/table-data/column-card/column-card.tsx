// A card below a column: its values with their counts and check boxes, and its statistics. A click filters.
import { Popover } from '@base-ui/react/popover';
import { Square } from 'lucide-react';
import { useState, useEffect, type ReactNode } from 'react';
import { isFilterGroup, type FilterEntry, type FilterTerm } from '#shared/protocol/rows.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import type { ChosenFormat } from '../../../workbench/cells/column-format.ts';
import type { TableTab } from '../../../workbench/tabs/table.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount, formatMeasure, plural } from '../../../ui/format.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import type {
  ColumnProfile,
  DatabaseId,
  ForeignKey,
  HistogramBucket,
  NamedValue,
  StorageClass,
  Value,
} from '#shared/protocol/index.ts';
import { useColumnProfile, type CountedColumn } from './use-column-profile.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import { sameValue } from '../../../workbench/rows/own-edits.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { Described } from '../../../ui/described.tsx';
import { entriesOf } from '../filter-entries.ts';
import { client } from '../../../connection/database-client.ts';
import { readableText } from '../../../workbench/cells/key-offers.ts';
import './column-card.css';

interface ColumnStatisticsProps {
  readonly column: string;
  readonly counted: CountedColumn;
  /** Readable name of a foreign key value, or its form in the grid; '' if there is none. */
  nameOf(value: Value): string;
  onFilter(entries: readonly FilterEntry[]): void;
}

const SHOWN_TOP = 5;
const CLASSES: readonly StorageClass[] = ['integer', 'real', 'text', 'blob'];

/** Statistics of a column: its values, storage classes, lengths, and a histogram of its numbers. */
function ColumnStatistics({ column, counted, nameOf, onFilter }: ColumnStatisticsProps): ReactNode {
  const { profile } = counted;
  if (!profile) return null;
  const by = (operator: FilterTerm['operator'], value: Value = null): FilterTerm => ({ column, operator, value });
  const { classes, distinct, lengths, mean, least, greatest } = profile;
  const stored = CLASSES.filter((name) => classes[name] > 0).map((name) => `${name} ${formatCount(classes[name])}`);
  return (
    <div className="column-statistics">
      <dl>
        <Described name="Rows">{formatCount(profile.rows)}</Described>
        <Described name="Distinct">
          {!distinct.isExact && 'at least '}
          {formatCount(distinct.count)}
        </Described>
        <Described name="NULL">
          <FilterButton isOff={classes.null === 0} onClick={() => onFilter([by('is-null')])}>
            {formatCount(classes.null)}
          </FilterButton>
        </Described>
        {least !== null && (
          <>
            <Described name="Minimum">
              <FilterButton onClick={() => onFilter([by('=', least)])}>{valueLabel(least)}</FilterButton>
            </Described>
            <Described name="Maximum">
              <FilterButton onClick={() => onFilter([by('=', greatest)])}>{valueLabel(greatest)}</FilterButton>
            </Described>
          </>
        )}
        {mean !== null && <Described name="Average">{formatMeasure(mean)}</Described>}
        {lengths && (
          <Described name="Length">
            {formatCount(lengths.least)} to {formatCount(lengths.greatest)}, average {formatMeasure(lengths.mean)}
          </Described>
        )}
        {stored.length > 0 && <Described name="Stored as">{stored.join(', ')}</Described>}
      </dl>
      <Histogram profile={profile} onFilter={(bucket, isLast) => onFilter(bucketTerms(column, bucket, isLast))} />
      {profile.top.length > 0 && (
        <>
          <h3>Most frequent</h3>
          <ul>
            {profile.top.slice(0, SHOWN_TOP).map(({ value, rows }, at) => (
              <li key={at} className="row value-line">
                <FilterButton onClick={() => onFilter([value === null ? by('is-null') : by('=', value)])}>
                  {valueLabel(value)}
                  <ValueName name={nameOf(value)} />
                </FilterButton>
                <small>{formatCount(rows)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface FilterButtonProps {
  readonly isOff?: boolean;
  readonly children: ReactNode;
  onClick(): void;
}

function FilterButton({ isOff = false, children, onClick }: FilterButtonProps): ReactNode {
  if (isOff) return children;
  return (
    <button type="button" className="accent column-link" title="Show only these rows" onClick={onClick}>
      {children}
    </button>
  );
}

interface HistogramProps {
  readonly profile: ColumnProfile;
  onFilter(bucket: HistogramBucket, isLast: boolean): void;
}

function Histogram({ profile: { histogram }, onFilter }: HistogramProps): ReactNode {
  if (histogram.length === 0) return null;
  const most = Math.max(...histogram.map(({ rows }) => rows));
  return (
    <div className="histogram" role="group" aria-label="Histogram">
      {histogram.map((bucket, at) => {
        const words = `${formatMeasure(bucket.from)} to ${formatMeasure(bucket.to)}: ${plural(bucket.rows, 'row')}`;
        return (
          <button
            key={bucket.from}
            type="button"
            aria-label={words}
            title={words}
            disabled={bucket.rows === 0}
            onClick={() => onFilter(bucket, at === histogram.length - 1)}
          >
            <span style={{ height: `${Math.max(bucket.rows > 0 ? 4 : 0, (bucket.rows / most) * 100)}%` }} />
          </button>
        );
      })}
    </div>
  );
}

function bucketTerms(column: string, { from, to }: HistogramBucket, isLast: boolean): readonly FilterTerm[] {
  const stored = (at: number): Value => (Number.isInteger(at) && !Number.isSafeInteger(at) ? { real: at } : at);
  return [
    { column, operator: '>=', value: stored(from) },
    { column, operator: isLast ? '<=' : '<', value: stored(to) },
  ];
}

interface ColumnCardProps {
  readonly tab: TableTab;
  readonly column: string;
  readonly reference: ForeignKey | null;
  readonly format: ChosenFormat | null;
  readonly anchor: () => DOMRect;
  /** Replaces the filters on the column. */
  onFilter(entries: readonly FilterEntry[]): void;
  onClose(): void;
}

export function ColumnCard({ anchor, ...props }: ColumnCardProps): ReactNode {
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className="menu-positioner"
          anchor={{ getBoundingClientRect: anchor }}
          align="start"
          sideOffset={4}
          positionMethod="fixed"
        >
          <Popover.Popup
            className="menu column-card"
            initialFocus={() => document.querySelector<HTMLElement>('.column-card input')}
          >
            <Popover.Title className="break-words strong column-card-title">{visibleName(props.column)}</Popover.Title>
            <CardContent {...props} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type Part = 'values' | 'statistics';

function CardContent({
  tab,
  column,
  reference,
  format,
  onFilter,
  onClose,
}: Omit<ColumnCardProps, 'anchor'>): ReactNode {
  const [part, setPart] = useState<Part>('values');
  const [search, setSearch] = useState('');
  const counted = useColumnProfile(tab, column, reference, part === 'values' ? search : '');
  const named = useValueNames(tab.database, column, reference, counted.profile);
  const nameOf = (value: Value): string => named(value) || (format?.textOf(value) ?? '');
  const filter = (entries: readonly FilterEntry[]): void => {
    onFilter(entries);
    onClose();
  };
  return (
    <>
      <div className="gap-5 wrap column-card-parts" role="group" aria-label="Show">
        {(['values', 'statistics'] as const).map((each) => (
          <Button key={each} size="small" aria-pressed={part === each} onClick={() => setPart(each)}>
            {each === 'values' ? 'Values' : 'Statistics'}
          </Button>
        ))}
      </div>
      {part === 'values' ? (
        <ValueList
          column={column}
          filter={tab.view.filter}
          counted={counted}
          search={search}
          nameOf={nameOf}
          onSearch={setSearch}
          onFilter={filter}
        />
      ) : (
        <ColumnStatistics column={column} counted={counted} nameOf={nameOf} onFilter={filter} />
      )}
      <CountingState counted={counted} />
    </>
  );
}

export function CountingState({ counted }: { readonly counted: CountedColumn }): ReactNode {
  const { profile, progress, isStopped, error, cost, stop, agree } = counted;
  if (cost !== null)
    return (
      <div className="column-card-cost" role="status">
        <p>{cost}</p>
        <Button size="small" onClick={agree}>
          Count values
        </Button>
      </div>
    );
  if (error) return <p className="small break-words error flush">{error.message}</p>;
  if (progress) {
    const share = progress.total ? progress.done / progress.total : null;
    return (
      <div className="note flush column-card-state" role="status">
        <ProgressBar label="Rows counted" share={share} />
        <Button size="small" variant="danger" onClick={stop}>
          <Square size={12} aria-hidden /> Stop
        </Button>
      </div>
    );
  }
  const rows = profile?.rows ?? 0;
  return (
    <p className="note flush column-card-state" role="status">
      {isStopped ? `Stopped after ${plural(rows, 'row')}.` : `${plural(rows, 'row')} counted.`}
    </p>
  );
}

interface ValueListProps {
  readonly column: string;
  readonly filter: readonly FilterEntry[];
  readonly counted: CountedColumn;
  readonly search: string;
  /** Readable name of a foreign key value; '' if unknown. */
  nameOf(value: Value): string;
  onSearch(text: string): void;
  onFilter(entries: readonly FilterEntry[]): void;
}

/** The most frequent values of a column, with check boxes: the table shows the rows that have a checked value. */
function ValueList({ column, filter, counted, search, nameOf, onSearch, onFilter }: ValueListProps): ReactNode {
  const [ticked, setTicked] = useState(() => tickedBefore(filter, column));
  const isTicked = (value: Value): boolean => ticked.some((each) => sameValue(each, value));
  const toggle = (value: Value): void =>
    setTicked(isTicked(value) ? ticked.filter((each) => !sameValue(each, value)) : [...ticked, value]);
  const { profile } = counted;
  const listed = profile?.top.map(({ value }) => value) ?? [];
  const more = profile ? profile.distinct.count - profile.top.filter(({ value }) => value !== null).length : 0;
  return (
    <form
      className="stack shrink-y value-list"
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(ticked.length === 0 ? [] : [{ column, operator: 'in', value: null, values: ticked }]);
      }}
    >
      <TextField
        className="small-field"
        aria-label="Search values"
        placeholder="Search values"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
      {counted.cost === null && (
        <ul aria-label="Values">
          {profile?.top.map(({ value, rows }) => (
            <li key={valueKey(value)}>
              <label className="row value-line">
                <input type="checkbox" checked={isTicked(value)} onChange={() => toggle(value)} />
                <span className={value === null ? 'value-null' : undefined}>
                  {valueLabel(value)}
                  <ValueName name={nameOf(value)} />
                </span>
                <small>{formatCount(rows)}</small>
              </label>
            </li>
          ))}
          {profile && profile.top.length === 0 && !counted.progress && counted.cost === null && (
            <li className="note flush value-none">No values</li>
          )}
        </ul>
      )}
      {more > 0 && (
        <p className="note flush">
          {profile?.distinct.isExact ? '' : 'More than '}
          {formatCount(more)} other values. Search to find them.
        </p>
      )}
      <ListButtons ticked={ticked} listed={listed} hasMore={more > 0} onTick={setTicked} />
    </form>
  );
}

interface ListButtonsProps {
  readonly ticked: readonly Value[];
  readonly listed: readonly Value[];
  readonly hasMore: boolean;
  onTick(values: readonly Value[]): void;
}

function ListButtons({ ticked, listed, hasMore, onTick }: ListButtonsProps): ReactNode {
  const others = listed.filter((value) => !ticked.some((each) => sameValue(each, value)));
  return (
    <div className="gap-5 wrap column-card-buttons">
      <Button size="small" variant="primary" type="submit">
        {ticked.length === 0 ? 'Show all rows' : `Filter by ${formatCount(ticked.length)}`}
      </Button>
      <Button size="small" disabled={others.length === 0} onClick={() => onTick([...ticked, ...others])}>
        {hasMore ? `Tick these ${formatCount(listed.length)}` : 'Tick all'}
      </Button>
      <Button size="small" disabled={ticked.length === 0} onClick={() => onTick([])}>
        Clear all
      </Button>
    </div>
  );
}

function ValueName({ name }: { readonly name: string }): ReactNode {
  return name === '' ? null : <span className="dim value-name">{name}</span>;
}

function tickedBefore(filter: readonly FilterEntry[], column: string): readonly Value[] {
  const [entry] = entriesOf(filter, column);
  if (!entry || isFilterGroup(entry)) return [];
  if (entry.operator === 'in') return entry.values ?? [];
  if (entry.operator === 'is-null') return [null];
  return entry.operator === '=' ? [entry.value] : [];
}

function valueLabel(value: Value): string {
  if (value === null) return 'NULL';
  const text = valueText(value);
  return text === '' ? '(empty)' : visibleLine(cut(text, 80));
}

/** Empty until names are known, and for values that refer to no row. */
function useValueNames(
  database: DatabaseId,
  column: string,
  reference: ForeignKey | null,
  profile: ColumnProfile | null,
): (value: Value) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const listed = (reference && profile?.top) ?? [];
  const unknown = listed.map(({ value }) => value).filter((value) => value !== null && !names.has(valueKey(value)));
  const asked = unknown.map(valueKey).join('\n');
  const referenceKey = JSON.stringify(reference);
  useEffect(() => {
    if (!reference || unknown.length === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    client.call('parent.names', { database, reference, column, values: unknown }, { signal }).then(
      (named) => {
        if (signal.aborted) return;
        const found = named.map((each) => [valueKey(each.value), nameText(each)] as const);
        // Values that refer to no row are not requested again.
        const none = unknown.map((value) => [valueKey(value), ''] as const);
        setNames((before) => new Map([...before, ...none, ...found]));
      },
      () => undefined, // The values say enough without names.
    );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- the texts say whether the list or the reference is another
  }, [database, column, referenceKey, asked]);
  return (value) => names.get(valueKey(value)) ?? '';
}

/** A column of a composite key may refer to several rows. */
function nameText({ names, hasMore }: NamedValue): string {
  const texts = [...new Set(names.map(readableText))].filter((text) => text !== '');
  return [...texts, ...(hasMore ? ['others'] : [])].join(' or ');
}

const valueKey = (value: Value): string => typeof value + valueText(value);
