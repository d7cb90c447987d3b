// Statistics of a column: its values, storage classes, lengths, and a histogram of its numbers.
import type { ReactNode } from 'react';
import type { ColumnProfile, HistogramBucket } from '#shared/protocol/index.ts';
import type { FilterEntry, FilterTerm } from '#shared/protocol/rows.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { formatCount, formatMeasure, plural } from '../../../ui/format.ts';
import type { CountedColumn } from './use-column-profile.ts';
import { valueLabel, ValueName } from './value-list.tsx';

interface ColumnStatisticsProps {
  readonly column: string;
  readonly counted: CountedColumn;
  /** Readable name of a foreign key value; '' if unknown. */
  nameOf(value: Value): string;
  onFilter(entries: readonly FilterEntry[]): void;
}

const SHOWN_TOP = 5;
const CLASSES: readonly StorageClass[] = ['integer', 'real', 'text', 'blob'];

export function ColumnStatistics({ column, counted, nameOf, onFilter }: ColumnStatisticsProps): ReactNode {
  const { profile } = counted;
  if (!profile) return null;
  const by = (operator: FilterTerm['operator'], value: Value = null): FilterTerm => ({ column, operator, value });
  const { classes, distinct, lengths, mean, least, greatest } = profile;
  const stored = CLASSES.filter((name) => classes[name] > 0);
  return (
    <div className="column-statistics">
      <dl>
        <Fact name="Rows">{formatCount(profile.rows)}</Fact>
        <Fact name="Distinct">
          {!distinct.isExact && 'at least '}
          {formatCount(distinct.count)}
        </Fact>
        <Fact name="NULL">
          <FilterButton isOff={classes.null === 0} onClick={() => onFilter([by('is-null')])}>
            {formatCount(classes.null)}
          </FilterButton>
        </Fact>
        {least !== null && (
          <>
            <Fact name="Minimum">
              <FilterButton onClick={() => onFilter([by('=', least)])}>{valueLabel(least)}</FilterButton>
            </Fact>
            <Fact name="Maximum">
              <FilterButton onClick={() => onFilter([by('=', greatest)])}>{valueLabel(greatest)}</FilterButton>
            </Fact>
          </>
        )}
        {mean !== null && <Fact name="Average">{formatMeasure(mean)}</Fact>}
        {lengths && (
          <Fact name="Length">
            {formatCount(lengths.least)} to {formatCount(lengths.greatest)}, average {formatMeasure(lengths.mean)}
          </Fact>
        )}
        {stored.length > 0 && (
          <Fact name="Stored as">{stored.map((name) => `${name} ${formatCount(classes[name])}`).join(', ')}</Fact>
        )}
      </dl>
      <Histogram profile={profile} onFilter={(bucket, isLast) => onFilter(bucketTerms(column, bucket, isLast))} />
      {profile.top.length > 0 && (
        <>
          <h3>Most frequent</h3>
          <ul>
            {profile.top.slice(0, SHOWN_TOP).map(({ value, rows }, at) => (
              <li key={at} className="value-line">
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

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
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
    <button type="button" className="column-link" title="Show only these rows" onClick={onClick}>
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
