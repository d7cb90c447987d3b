// The most frequent values of a column, with check boxes: the table shows the rows that have a checked value.
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import { isFilterGroup } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { cut, visibleLine } from '#shared/visible-text.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import { sameValue } from '../../../workbench/rows/own-edits.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { entriesOf } from '../filter-entries.ts';
import type { CountedColumn } from './use-column-profile.ts';
import { valueKey } from './value-key.ts';

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

export function ValueList({ column, filter, counted, search, nameOf, onSearch, onFilter }: ValueListProps): ReactNode {
  const [ticked, setTicked] = useState(() => tickedBefore(filter, column));
  const isTicked = (value: Value): boolean => ticked.some((each) => sameValue(each, value));
  const toggle = (value: Value): void =>
    setTicked(isTicked(value) ? ticked.filter((each) => !sameValue(each, value)) : [...ticked, value]);
  const { profile } = counted;
  const listed = profile?.top.map(({ value }) => value) ?? [];
  const more = profile ? profile.distinct.count - profile.top.filter(({ value }) => value !== null).length : 0;
  return (
    <form
      className="value-list"
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
              <label className="value-line">
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
            <li className="value-none">No values</li>
          )}
        </ul>
      )}
      {more > 0 && (
        <p className="column-card-note">
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
  /** There are values that are not listed. */
  readonly hasMore: boolean;
  onTick(values: readonly Value[]): void;
}

function ListButtons({ ticked, listed, hasMore, onTick }: ListButtonsProps): ReactNode {
  const others = listed.filter((value) => !ticked.some((each) => sameValue(each, value)));
  return (
    <div className="column-card-buttons">
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

export function ValueName({ name }: { readonly name: string }): ReactNode {
  return name === '' ? null : <span className="value-name">{name}</span>;
}

function tickedBefore(filter: readonly FilterEntry[], column: string): readonly Value[] {
  const [entry] = entriesOf(filter, column);
  if (!entry || isFilterGroup(entry)) return [];
  if (entry.operator === 'in') return entry.values ?? [];
  if (entry.operator === 'is-null') return [null];
  return entry.operator === '=' ? [entry.value] : [];
}

export function valueLabel(value: Value): string {
  if (value === null) return 'NULL';
  const text = valueText(value);
  return text === '' ? '(empty)' : visibleLine(cut(text, 80));
}
